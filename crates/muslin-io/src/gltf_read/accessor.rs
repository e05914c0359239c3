//! Typed arrays in the buffers. Every offset is checked before anything is read or allocated.

use std::borrow::Cow;

use crate::ParseError;
use crate::gltf_read::schema::{Accessor, Root};
use crate::gltf_read::{MOST_ELEMENTS, failed};

/// A document with the bytes of its buffers.
pub(super) struct Source<'a> {
    pub(super) root: &'a Root,
    pub(super) buffers: &'a [Cow<'a, [u8]>],
}

/// The type of a number in a buffer, by its code in OpenGL.
#[derive(Clone, Copy)]
enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    fn of(code: u32) -> Option<Self> {
        Some(match code {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5125 => Self::U32,
            5126 => Self::F32,
            _ => return None,
        })
    }

    fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// The number at the beginning of `bytes`; f64 holds every value of every type exactly.
    fn read(self, bytes: &[u8], normalized: bool) -> f64 {
        let byte = |k: usize| bytes.get(k).copied().unwrap_or_default();
        let two = [byte(0), byte(1)];
        let four = [byte(0), byte(1), byte(2), byte(3)];
        let (number, largest) = match self {
            Self::I8 => (f64::from(byte(0) as i8), 127.0),
            Self::U8 => (f64::from(byte(0)), 255.0),
            Self::I16 => (f64::from(i16::from_le_bytes(two)), 32767.0),
            Self::U16 => (f64::from(u16::from_le_bytes(two)), 65535.0),
            Self::U32 => (f64::from(u32::from_le_bytes(four)), f64::from(u32::MAX)),
            Self::F32 => return f64::from(f32::from_le_bytes(four)),
        };
        if normalized { (number / largest).max(-1.0) } else { number }
    }
}

/// Elements at equal distances in a buffer, all within it.
struct Layout<'a> {
    bytes: &'a [u8],
    stride: usize,
    size: usize,
    count: usize,
}

impl<'a> Layout<'a> {
    fn elements(&self) -> impl Iterator<Item = &'a [u8]> {
        let Self { bytes, stride, size, count } = *self;
        (0..count).map(move |k| &bytes[k * stride..k * stride + size])
    }
}

impl<'a> Source<'a> {
    /// The accessor with this number.
    pub(super) fn accessor(&self, index: usize) -> Result<&'a Accessor, ParseError> {
        let missing = || ParseError::new(None, format!("there is no accessors[{index}]"));
        self.root.accessors.get(index).ok_or_else(missing)
    }

    /// The first `N` numbers of each element. `shapes` are the types allowed, each with `N`
    /// numbers at least.
    pub(super) fn numbers<const N: usize>(
        &self,
        index: usize,
        shapes: &[&str],
    ) -> Result<Vec<[f32; N]>, ParseError> {
        let elements = self.read(index, shapes)?;
        Ok(elements.into_iter().map(|element: [f64; N]| element.map(|number| number as f32)).collect())
    }

    /// Whole numbers, one per element.
    pub(super) fn indices(&self, index: usize) -> Result<Vec<u32>, ParseError> {
        if !matches!(self.accessor(index)?.component_type, 5121 | 5123 | 5125) {
            return failed(format!("accessors[{index}] holds no indices: they are unsigned whole numbers"));
        }
        Ok(self.read(index, &["SCALAR"])?.into_iter().map(|[number]: [f64; 1]| number as u32).collect())
    }

    fn read<const N: usize>(&self, index: usize, shapes: &[&str]) -> Result<Vec<[f64; N]>, ParseError> {
        let accessor = self.accessor(index)?;
        let wrong = |problem: &str| ParseError::new(None, format!("accessors[{index}] {problem}"));
        let components = components(&accessor.shape).filter(|&count| count >= N);
        let Some(components) = components.filter(|_| shapes.contains(&accessor.shape.as_str())) else {
            return Err(wrong(&format!("has a type other than {}", shapes.join(" or "))));
        };
        let component =
            Component::of(accessor.component_type).ok_or_else(|| wrong("has an unknown component type"))?;
        if accessor.count > MOST_ELEMENTS {
            return Err(wrong("is too large"));
        }
        let size = components * component.size();
        let decode = |bytes: &[u8]| {
            let number = |k| component.read(&bytes[k * component.size()..], accessor.normalized);
            std::array::from_fn(number)
        };
        let mut elements: Vec<[f64; N]> = match accessor.buffer_view {
            Some(view) => {
                let layout = self.layout(view, accessor.byte_offset, size, accessor.count);
                layout.ok_or_else(|| wrong("reaches beyond its buffer"))?.elements().map(decode).collect()
            }
            None => vec![[0.0; N]; accessor.count],
        };
        let Some(sparse) = &accessor.sparse else { return Ok(elements) };
        let place = Component::of(sparse.indices.component_type).unwrap_or(Component::U32);
        let places =
            self.layout(sparse.indices.buffer_view, sparse.indices.byte_offset, place.size(), sparse.count);
        let values = self.layout(sparse.values.buffer_view, sparse.values.byte_offset, size, sparse.count);
        let (Some(places), Some(values)) = (places, values) else {
            return Err(wrong("has sparse values beyond its buffer"));
        };
        for (at, value) in places.elements().zip(values.elements()) {
            let element = elements.get_mut(place.read(at, false) as usize);
            *element.ok_or_else(|| wrong("has a sparse index beyond its end"))? = decode(value);
        }
        Ok(elements)
    }

    /// `count` elements of `size` bytes in a buffer view, or `None` if they are not all within.
    fn layout(&self, view: usize, offset: usize, size: usize, count: usize) -> Option<Layout<'a>> {
        let view = self.root.buffer_views.get(view)?;
        let buffer: &'a [u8] = self.buffers.get(view.buffer)?;
        let bytes = buffer.get(view.byte_offset..)?.get(..view.byte_length)?.get(offset..)?;
        let stride = view.byte_stride.filter(|&stride| stride > 0).unwrap_or(size);
        if count > 0 {
            let end = (count - 1).checked_mul(stride)?.checked_add(size)?;
            (end <= bytes.len() && stride >= size).then_some(())?;
        }
        Some(Layout { bytes, stride, size, count })
    }
}

/// How many numbers an element of this type has.
fn components(shape: &str) -> Option<usize> {
    let shapes = ["SCALAR", "VEC2", "VEC3", "VEC4"];
    shapes.iter().position(|known| *known == shape).map(|position| position + 1)
}
