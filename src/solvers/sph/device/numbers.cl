/* What formulas of places and walls find on the processor in base/vec.h and base/loop.h. */
#define DEVICE_GLOBAL global
#define DEVICE_LOCAL  local
#define REAL_SQRT(x)  sqrt(x)
#define REAL_ABS(x)   fabs(x)

#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable

typedef JOIN(REAL, 2) Real2;
typedef JOIN(REAL, 3) Real3;

typedef struct mote_Vec3 {
    mote_real x, y, z;
} mote_Vec3;

typedef struct MeshPlane {
    mote_Vec3 normal;
    mote_real offset;
} MeshPlane;

static inline mote_Vec3 vec3(mote_real x, mote_real y, mote_real z)
{
    const mote_Vec3 a = {x, y, z};
    return a;
}

static inline mote_real real_max(mote_real a, mote_real b)
{
    return a > b ? a : b;
}

static inline mote_real real_pick(bool chosen, mote_real a, mote_real b)
{
    return chosen ? a : b;
}

#define VEC      mote_Vec3
#define VEC_(f)  vec3_##f
#define VEC_REAL mote_real
#define VEC_SQRT REAL_SQRT
