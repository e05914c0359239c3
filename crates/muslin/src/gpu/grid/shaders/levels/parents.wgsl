// Where a level's particle begins ([Schmitt2013] §5.3): where the finest level has it, plus the mean difference that
// the coarser level found at its parents, as far as it may. A kernel says where the coarser level's points are (`coarser_point`).
// Twin: solver/multilevel/cycle.rs.

fn started(level: Level, index: u32, code: u32) -> vec4<f32> {
    let column = index % level.columns;
    let row = index / level.columns;
    let own = finest[(row * level.finest_columns + column) * level.stride];
    var parents = (code >> 8u) & 0xffffu;
    if own.w == 0.0 {
        return own;
    }
    // The window of 4×4 begins one before half the place.
    let first_column = column / 2u - 1u;
    let first_row = row / 2u - 1u;
    var sum = vec3(0.0);
    var count = 0.0;
    for (; parents != 0u; parents &= parents - 1u) {
        let bit = firstTrailingBit(parents);
        let parent_column = first_column + bit % 4u;
        let parent_row = first_row + bit / 4u;
        let there = finest[(parent_row * level.finest_columns + parent_column) * 2u * level.stride].xyz;
        sum += coarser_point(parent_row * level.coarser_columns + parent_column) - there;
        count += 1.0;
    }
    let weight = own.w * bitcast<f32>(codes[level.first_light + index]);
    return held_back(level, index, vec4(own.xyz + sum / max(count, 1.0), weight));
}
