// Weaves: colour of a place of flat cloth, averaged over what a pixel shows of it. Goes after frame.wgsl and surface.wgsl.
@group(1) @binding(2) var printed: texture_2d<f32>;
@group(1) @binding(3) var printing: sampler;

// Which weave a pipeline is for: software devices would go through all of them.
override WEAVE: u32 = 0u;

const THREADS = 1u;
const TWILL = 2u;
const GINGHAM = 3u;
const STRIPES = 4u;
const IMAGE = 5u;

// A wave that is 1 on the first half of each period and 0 on the second, averaged over `width`.
fn band(x: vec2f, width: vec2f) -> vec2f {
    let w = max(width, vec2f(1e-4));
    let a = x - 0.5 * w;
    let b = x + 0.5 * w;
    return (0.5 * floor(b) + min(fract(b), vec2f(0.5)) - 0.5 * floor(a) - min(fract(a), vec2f(0.5))) / w;
}

// From 1, where what repeats is well seen, to 0, where it is finer than pixels.
fn shown(width: f32) -> f32 {
    return 1.0 - smoothstep(0.25, 0.7, width);
}

fn hash(n: f32) -> f32 {
    return fract(sin(n * 12.9898) * 43758.547);
}

// Threads over and under each other: how bright, with 1 as the mean.
fn threads(x: vec2f, width: f32) -> f32 {
    let within = 2.0 * fract(x) - 1.0;
    let over = fract(0.5 * (floor(x.x) + floor(x.y))) < 0.25;
    let across = select(within.yx, within, over);
    let which = select(floor(x.y) + 0.37, floor(x.x), over);
    let round = 1.0 - across.x * across.x;
    let dip = 1.0 - across.y * across.y * across.y * across.y;
    let bright = 0.62 + 0.5 * round * (0.55 + 0.45 * dip) + 0.14 * (hash(which) - 0.5);
    return mix(1.0, bright / 0.867, shown(width));
}

// Diagonal ribs of threads that are seen for three out of four steps.
fn twill(x: vec2f, width: f32) -> f32 {
    let rib = fract(x.x + x.y);
    let step = fract(8.0 * (x.x - x.y));
    let round = 4.0 * rib * (1.0 - rib);
    let fine = 4.0 * step * (1.0 - step);
    let bright = 0.7 + 0.36 * round + 0.1 * (fine - 0.667) * shown(6.0 * width);
    return mix(1.0, bright / 0.94, shown(width));
}

// The colour of a side of the cloth where its flat coordinates are `flat`.
fn woven(plain: vec3f, flat: vec2f) -> vec3f {
    let x = flat * surface.scale;
    let dx = dpdx(x);
    let dy = dpdy(x);
    let width = abs(dx) + abs(dy);
    switch WEAVE {
        case THREADS: {
            return plain * threads(x, max(width.x, width.y));
        }
        case TWILL: {
            return plain * twill(x, width.x + width.y);
        }
        case GINGHAM: {
            let bands = band(x, width);
            return mix(plain, surface.second, 0.5 * (bands.x + bands.y));
        }
        case STRIPES: {
            return mix(plain, surface.second, band(x, width).x);
        }
        case IMAGE: {
            // Beyond a whole image there is nothing to filter.
            let period = max(max(length(dx), length(dy)), 1.0);
            return textureSampleGrad(printed, printing, x, dx / period, dy / period).rgb;
        }
        default: {
            return plain;
        }
    }
}
