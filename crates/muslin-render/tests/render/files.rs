//! PNG and GIF files, read back by the decoders of their crates.

use muslin_render::{GifWriter, Picture, RenderError, animation_gif};

/// A smooth picture with a bright square at `x`.
fn picture(width: u32, height: u32, x: u32) -> Picture {
    let places = (0..height).flat_map(|j| (0..width).map(move |i| (i, j)));
    let color = |(i, j): (u32, u32)| {
        let square = (x..x + 10).contains(&i) && (5..15).contains(&j);
        if square {
            [200, (20 + 10 * (i - x)) as u8, 30]
        } else {
            [(i * 255 / width) as u8, (j * 255 / height) as u8, 90]
        }
    };
    Picture { width, height, pixels: places.map(color).collect() }
}

#[test]
fn a_png_holds_the_same_pixels() {
    let original = picture(61, 37, 20);
    let file = original.to_png().unwrap();
    let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    assert_eq!((info.width, info.height), (61, 37));
    assert_eq!((info.color_type, info.bit_depth), (png::ColorType::Rgb, png::BitDepth::Eight));
    assert_eq!(&bytes[..info.buffer_size()], original.pixels.as_flattened());
}

/// The frames as they are shown, and their delays in hundredths of a second.
fn shown(file: &[u8]) -> (Vec<Vec<[u8; 3]>>, Vec<u16>) {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(file).unwrap();
    assert_eq!(decoder.repeat(), gif::Repeat::Infinite);
    let (width, height) = (usize::from(decoder.width()), usize::from(decoder.height()));
    let mut canvas = vec![[0; 3]; width * height];
    let (mut frames, mut delays) = (Vec::new(), Vec::new());
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        let [left, top, columns] = [frame.left, frame.top, frame.width].map(usize::from);
        for (i, pixel) in frame.buffer.as_chunks::<4>().0.iter().enumerate() {
            if pixel[3] > 0 {
                canvas[(top + i / columns) * width + left + i % columns] = [pixel[0], pixel[1], pixel[2]];
            }
        }
        frames.push(canvas.clone());
        delays.push(frame.delay);
    }
    (frames, delays)
}

#[test]
fn a_gif_has_all_frames_at_the_right_times_and_nearly_the_right_colours() {
    let originals: Vec<Picture> = [10, 13, 13, 40].map(|x| picture(160, 120, x)).into();
    let (frames, delays) = shown(&animation_gif(&originals, 30.0).unwrap());
    assert_eq!(delays, [3, 4, 3, 3]);
    assert_eq!(frames.len(), originals.len());
    for (frame, original) in frames.iter().zip(&originals) {
        let pairs = frame.as_flattened().iter().zip(original.pixels.as_flattened());
        let errors: Vec<f64> = pairs.map(|(a, b)| f64::from(a.abs_diff(*b))).collect();
        let mean = errors.iter().sum::<f64>() / errors.len() as f64;
        assert!(mean < 5.0 && errors.iter().all(|&e| e < 30.0), "{mean}");
    }
    // What stands still is not touched.
    assert_eq!(frames[1], frames[2]);
}

#[test]
fn delays_add_up_over_a_long_animation() {
    for rate in [0.1, 7.0, 24.0, 50.0] {
        let frame = picture(20, 20, 3);
        let mut writer = GifWriter::new(Vec::new(), 20, 20).unwrap();
        for _ in 0..48 {
            writer.add(&frame, 1.0 / rate).unwrap();
        }
        let (_, delays) = shown(&writer.finish().unwrap());
        let seconds = delays.iter().map(|&d| f64::from(d)).sum::<f64>() / 100.0;
        assert!((seconds - 48.0 / rate).abs() <= 0.01, "{rate}: {seconds}");
    }
}

#[test]
fn frames_last_as_long_as_they_are_told_to() {
    let mut writer = GifWriter::new(Vec::new(), 20, 20).unwrap();
    for (x, seconds) in [(3, 1.0), (4, 0.125), (5, 0.125), (6, 655.0)] {
        writer.add(&picture(20, 20, x), seconds).unwrap();
    }
    assert_eq!(shown(&writer.finish().unwrap()).1, [100, 13, 12, 65_500]);
}

#[test]
fn what_fits_no_file_is_refused() {
    assert!(matches!(GifWriter::new(Vec::new(), 0, 9), Err(RenderError::Size { .. })));
    let mut writer = GifWriter::new(Vec::new(), 20, 20).unwrap();
    for seconds in [0.0, -1.0, 1.0 / 60.0, 656.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(writer.add(&picture(20, 20, 0), seconds), Err(RenderError::FrameTime(_))));
    }
    assert!(matches!(writer.add(&picture(21, 20, 0), 0.1), Err(RenderError::FrameSize { .. })));
    let broken = Picture { pixels: vec![[0; 3]; 7], ..picture(20, 20, 0) };
    assert!(matches!(writer.add(&broken, 0.1), Err(RenderError::PixelCount { .. })));
    assert!(matches!(broken.to_png(), Err(RenderError::PixelCount { .. })));
    assert!(Picture { width: 0, height: 0, pixels: vec![] }.to_png().is_err());
    // No frames: a file that decoders accept.
    assert_eq!(shown(&animation_gif(&[], 10.0).unwrap()).0.len(), 0);
}
