// Surfaces in the picture. Goes after frame.wgsl, surface.wgsl, light.wgsl and weave.wgsl.
@group(0) @binding(6) var scale_of_values: texture_2d<f32>;

// Whether values are shown instead of the weave.
override VALUES: bool = false;

struct Seen {
    @builtin(position) clip: vec4f,
    @location(0) place: vec3f,
    @location(1) normal: vec3f,
    @location(2) flat: vec2f,
    @location(3) value: f32,
    @location(4) bulge: f32,
}

@vertex
fn show(@builtin(vertex_index) number: u32, @location(0) flat: vec2f, @location(1) value: f32) -> Seen {
    let vertex = placed(number);
    return Seen(frame.clip * vec4f(vertex.place, 1.0), vertex.place, vertex.normal, flat, value, vertex.bulge);
}

// The colour of a value from 0 to 1.
fn of_value(value: f32) -> vec3f {
    let at = clamp(value, 0.0, 1.0) * 255.0;
    let low = u32(min(at, 254.0));
    let a = textureLoad(scale_of_values, vec2u(low, 0u), 0).rgb;
    let b = textureLoad(scale_of_values, vec2u(low + 1u, 0u), 0).rgb;
    return mix(a, b, at - f32(low));
}

// How the key is seen in a surface: a narrow highlight on silk, hardly any on wool.
fn highlight(normal: vec3f, to_eye: vec3f, gloss: f32) -> f32 {
    let half_way = normalize(frame.toward + to_eye);
    let rough = mix(0.62, 0.22, gloss);
    let squared = rough * rough * rough * rough;
    let aligned = max(dot(normal, half_way), 0.0);
    let lobe = aligned * aligned * (squared - 1.0) + 1.0;
    let grazing = pow(1.0 - max(dot(half_way, to_eye), 0.0), 5.0);
    let reflected = mix(0.035, 1.0, grazing) * mix(0.3, 1.6, gloss);
    return min(squared / (lobe * lobe), 40.0) * 0.25 * reflected;
}

@fragment
fn shade(seen: Seen, @builtin(front_facing) front: bool) -> @location(0) vec4f {
    let to_eye = normalize(frame.eye - seen.place);
    var color = select(surface.back, surface.front, front);
    if VALUES {
        color = of_value(seen.value);
    } else {
        color = woven(color, seen.flat);
    }
    // A smooth normal may point away from the eye at an outline: it is bent back to be seen edge-on.
    let smooth_normal = normalize(seen.normal) * select(-1.0, 1.0, front);
    let away = min(dot(smooth_normal, to_eye) - 0.02, 0.0);
    let normal = normalize(smooth_normal - away * to_eye);

    let facing = dot(normal, frame.toward);
    let key = frame.key * key_share(seen.place, smooth_normal, seen.bulge, seen.clip.xy);
    let open = open_share(seen.clip);
    let fold = in_fold(open, color);
    let reflected = key * max(facing, 0.0) + fold * around(normal);
    let through = key * max(-facing, 0.0) + fold * around(-normal);
    let t = surface.translucency;
    var light = color * (reflected * (1.0 - 0.5 * t) + through * t);

    let grazing = 1.0 - max(dot(normal, to_eye), 0.0);
    let fibres = surface.sheen * grazing * grazing * grazing;
    light += fibres * 0.6 * mix(color, vec3f(1.0), 0.2) * (reflected + 0.35 * open * frame.sky);
    let tint = mix(vec3f(1.0), color, 0.35);
    light += key * max(facing, 0.0) * highlight(normal, to_eye, surface.gloss) * tint;
    let mirrored = behind(reflect(-to_eye, normal)) * open;
    light += mirrored * surface.gloss * surface.gloss * mix(0.03, 0.5, pow(grazing, 5.0));
    if surface.is_marked != 0u {
        light = mix(light, vec3f(1.0, 0.62, 0.2), 0.12 + 0.5 * grazing * grazing);
    }
    return developed(light, seen.clip.xy);
}
