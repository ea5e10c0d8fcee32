/* The friction laws: what is left of the tangential velocity, as a factor. They go by the change of
 * the normal velocity in the same impact or contact, so they hold for any length of the step. */
#include "collide/friction.h"

#include "base/math.h"
#include "base/row.h"

static const mote_Param dry_params[] = {
    PARAM_REAL(mote_DryFriction, mu, "", "friction coefficient, static and kinetic", 0.3, 0,
               PARAM_LARGEST),
    PARAM_REAL_KEY("static", mote_DryFriction, still, "", "static coefficient; negative: mu", -1,
                   -1, PARAM_LARGEST),
    PARAM_REAL_KEY("kinetic", mote_DryFriction, sliding, "",
                   "kinetic coefficient, at most the static one; negative: mu", -1, -1,
                   PARAM_LARGEST),
};

static const mote_Param wet_params[] = {
    PARAM_REAL(mote_WetFriction, damping, "s/m", "share of tangential speed lost per normal speed",
               1, 0, PARAM_LARGEST),
};

static mote_real dry(const FrictionParams *p, mote_real stopped, mote_real speed)
{
    return dry_factor(dry_still(&p->dry), dry_sliding(&p->dry), stopped, speed);
}

/* v_T exp(-D |dv_N|), the slides' better approximation: 1 - D |dv_N| of one step turns a fast slide
 * round. */
static mote_real wet(const FrictionParams *p, mote_real stopped, mote_real speed)
{
    (void)speed;
    return real_exp(-p->wet.damping * stopped);
}

/* Its first terms, as the slides have it at first; 0 where they would turn the slide round. */
static mote_real wet_linear(const FrictionParams *p, mote_real stopped, mote_real speed)
{
    mote_real left = 1 - p->wet.damping * stopped;
    (void)speed;
    return left > 0 ? left : 0;
}

static mote_real none(const FrictionParams *p, mote_real stopped, mote_real speed)
{
    (void)p, (void)stopped, (void)speed;
    return 1;
}

static mote_real stick(const FrictionParams *p, mote_real stopped, mote_real speed)
{
    (void)p, (void)stopped, (void)speed;
    return 0;
}

static const FrictionRow friction_dry = {
    .head = ROW_HEAD("dry", "Coulomb's law with a static and a kinetic coefficient", dry_params,
                     mote_DryFriction),
    .factor = dry,
    .is_dry = true};
static const FrictionRow friction_wet = {
    .head = ROW_HEAD("wet", "a film: the tangential velocity times exp(-damping |dv_N|)",
                     wet_params, mote_WetFriction),
    .factor = wet};
static const FrictionRow friction_wet_linear = {
    .head = ROW_HEAD("wet-linear", "a film: times 1 - damping |dv_N|, but not below 0", wet_params,
                     mote_WetFriction),
    .factor = wet_linear};
static const FrictionRow friction_none = {.head = ROW_PLAIN("none", "no friction"), .factor = none};
static const FrictionRow friction_stick = {
    .head = ROW_PLAIN("stick", "what touches stays where it touched: snow, glue"),
    .factor = stick,
    .sticks = true};

ROW_TABLE(friction_rows, FRICTION_ROWS(ROW_ADDRESS_ONLY))
