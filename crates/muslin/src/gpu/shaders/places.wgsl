// The places of eight neighbours, for kernels that read them from `front`.

fn eight_places(s: array<Spoke, 8>) -> array<vec4<f32>, 8> {
    return array<vec4<f32>, 8>(
        front[s[0].vertex], front[s[1].vertex], front[s[2].vertex], front[s[3].vertex],
        front[s[4].vertex], front[s[5].vertex], front[s[6].vertex], front[s[7].vertex],
    );
}
