/* Making and placing anchors. */
#include "bodies/anchor.h"

/* Only the place of a circle that looks most outward stays where it is when the circle turns. */
Anchor anchor_make(const Solid *solid, const Placed *placed, D3 x, D3 outward)
{
    Round round = placed_round(placed, outward);
    const D3 middle = d3_sub(x, round_arm(round, outward));
    const D3 off = d3_sub(middle, placed->pose.position);
    const D3 aside = d3_madd(off, -d3_dot(off, round.axis), round.axis);
    bool turns = d3_length(round.axis) > 0 && d3_length(aside) > 1e-3 * round.radius;
    if (turns) round = (Round){0};
    round.axis = dquat_rotate_back(solid->pose.orientation, round.axis);
    return (Anchor){dpose_invert(&solid->pose, turns ? x : middle), round};
}

D3 anchor_place(const Anchor *anchor, const DPose *solid, D3 outward)
{
    D3 at = dpose_apply(solid, anchor->at);
    if (anchor->round.radius == 0) return at;
    Round round = anchor->round;
    round.axis = dquat_rotate(solid->orientation, round.axis);
    return d3_add(at, round_arm(round, outward));
}
