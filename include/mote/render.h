/* Pictures of frames: a software splatter in linear light, PNG files and video.
 *
 * The picture depends on the definition and the frame alone: same bits for any number of threads,
 * any instruction set and any order of the particles. */
#ifndef MOTE_RENDER_H
#define MOTE_RENDER_H

#include <mote/frame.h>
#include <mote/tasks.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- images --------------------------------------------------------------------------------- */

/* Linear float RGBA with premultiplied alpha. It also keeps the working memory of the renders into
 * it, so a video uses one image for all its frames and allocates nothing after the first ones. */
typedef struct mote_Image mote_Image;

/* Pixels. */
enum { MOTE_IMAGE_LARGEST_SIDE = 16384 };

/* Both sides between 1 and MOTE_IMAGE_LARGEST_SIDE; black and transparent at first. */
MOTE_API mote_Status mote_image_create(int width, int height, mote_Image **image,
                                       mote_Error *error);
MOTE_API void mote_image_destroy(mote_Image *image); /* NULL is allowed */
MOTE_API int mote_image_width(const mote_Image *image);
MOTE_API int mote_image_height(const mote_Image *image);
/* width x height pixels of four floats, top row first; valid as long as the image. */
MOTE_API float *mote_image_pixels(mote_Image *image);

/* Writes sRGB with 8 (dithered) or 16 bits per channel; with an alpha channel only where some pixel
 * is not opaque. The file appears under its name when it is complete. */
MOTE_API mote_Status mote_image_write_png(const mote_Image *image, const char *path, int bits,
                                          mote_Error *error);
/* The same file, by several workers; NULL: this thread alone. */
MOTE_API mote_Status mote_image_write_png_with(const mote_Image *image, const char *path, int bits,
                                               mote_Tasks *tasks, mote_Error *error);

/* Takes bytes, one piece after another; false: no more are wanted. */
typedef bool mote_ByteSink(void *context, const void *bytes, size_t size);

/* The same bytes in memory, without a file: for hosts that send or show them themselves.
 * MOTE_CANCELLED when the sink wanted no more. */
MOTE_API mote_Status mote_image_encode_png(const mote_Image *image, int bits, mote_ByteSink *sink,
                                           void *context, mote_Error *error);

/* Writes linear light as OpenEXR: RGBA in 32-bit floats, premultiplied, not compressed. */
MOTE_API mote_Status mote_image_write_exr(const mote_Image *image, const char *path,
                                          mote_Error *error);

/* Reads an OpenEXR file that is in memory: one part of scan lines, not compressed or by RLE, ZIPS
 * or ZIP; `name` begins messages. What is no number becomes 0, what has no alpha is opaque. */
MOTE_API mote_Status mote_image_decode_exr(const void *bytes, size_t size, const char *name,
                                           mote_Image **image, mote_Error *error);

/* ---- what to draw, and how ------------------------------------------------------------------ */

/* Where a picture is taken from. */
typedef struct mote_Camera {
    mote_Vec3 from;    /* m, the eye */
    mote_Vec3 to;      /* m, the middle of the picture */
    mote_Vec3 up;      /* direction that is up in the picture */
    mote_real fov;     /* degrees from the bottom to the top of the picture */
    mote_real height;  /* m from bottom to top of an orthographic picture; 0: perspective */
    mote_real near;    /* m; what is nearer to the eye is not drawn */
    mote_real shutter; /* part of the frame's dt that the shutter is open, centred on its time */
    mote_real orbit;   /* degrees that the eye is turned around `to`, about `up` */
    mote_real dolly;   /* factor on the distance of the eye from `to`; 0 counts as 1 */
    /* Of traced pictures: */
    mote_real
        aperture;    /* m, width of the lens: what is not at `focus` is blurred; 0: all is sharp */
    mote_real focus; /* m along the view to what is sharp; 0: `to` */
} mote_Camera;

/* What a particle does to what is behind it. */
typedef enum mote_Blend {
    MOTE_BLEND_OVER, /* hides what is behind by its opacity: dust, smoke */
    MOTE_BLEND_ADD   /* adds light and hides nothing: sparks, fire, stars */
} mote_Blend;

/* How the particles of a system with links or triangles are drawn. */
typedef enum mote_Draw {
    MOTE_DRAW_AUTO,      /* triangles where there are some, else links, else particles */
    MOTE_DRAW_PARTICLES, /* particles alone */
    MOTE_DRAW_LINES,     /* links alone */
    MOTE_DRAW_SURFACE,   /* triangles alone */
    MOTE_DRAW_ALL        /* everything there is */
} mote_Draw;

/* How a system's particles look. Colour and opacity come from the system's columns. */
typedef struct mote_Look {
    const char *system;   /* its name; NULL: every system without a look of its own */
    const char *profile;  /* "gaussian", "soft", "disc" or "sphere": the profile across it */
    mote_Blend blend;     /* over: opaque matter; add: light */
    mote_real size;       /* drawn radius per radius */
    mote_real brightness; /* factor on the colour */
    bool motion_blur;     /* streaks along the velocity, by the camera's shutter */
    bool lit;             /* by the lights, through the other lit particles: smoke */
    mote_real scatter;    /* -0.95 to 0.95: lit particles send light back, evenly or on (Henyey and
                             Greenstein's g) */
    mote_Draw draw;       /* what of the system */
    mote_real line;       /* m, width of links and trails */
    uint64_t trail;       /* earlier frames that a trail behind each particle shows; 0: none */
    mote_real faint;      /* opacity of a trail's start */
    /* Of the system's surface in traced pictures: */
    mote_real refraction; /* index of the liquid */
    mote_Vec3 absorption; /* 1/m, of red, green and blue light in it */
    bool opaque;          /* splats too: no light enters it, it shows its colour; milk, paint */
    /* Sprites instead of a profile: every particle shows a cell of this image, which faces the eye
     * and is as wide as the particle where it is not higher than wide. NULL: none. The system's
     * column "cell" says which (its whole part, around the number of cells), without it the
     * particle's id does; its column "turn" by how many degrees it is turned to the left. */
    const mote_Image *image;
    uint64_t columns, rows; /* of cells in the image */
    /* On its triangles instead of their colour, where the system's column "uv" says: a picture,
     * once from (0, 0), its upper left corner, to (1, 1), and so on; or as many squares, of their
     * own colour and the second one. NULL, 0: none. */
    const mote_Image *texture;
    uint64_t checker;
    mote_Vec3 color2;
} mote_Look;

/* A clear sky between two linear colours; equal colours give a plain background. */
typedef struct mote_Backdrop {
    mote_Vec3 horizon, zenith; /* linear RGB */
    mote_Vec3 glow;            /* linear RGB, around the first sun */
    bool transparent;          /* none of it, nor of the ground: alpha is the particles' own */
    /* All directions instead: longitude across the picture, latitude down; NULL: none. Traced
     * pictures have its light, and without lights of their own no other. */
    const mote_Image *panorama;
    mote_real turn;  /* degrees that the panorama is turned about the world's up */
    mote_real light; /* factor on the panorama's pixels */
} mote_Backdrop;

/* How shapes of type "plane" are drawn. */
typedef struct mote_GroundLook {
    bool visible;        /* is it drawn? */
    mote_Vec3 colors[2]; /* linear RGB of the checker's squares */
    mote_real square;    /* m, side of a square; 0: plain, in colors[0] */
    mote_real fade;      /* m from the eye to where half of it has become sky; 0: never; -1: 20 m,
                            and in far views four times as far as the camera looks */
    mote_real shadow;    /* 0 to 1: how dark particles near the ground make it */
} mote_GroundLook;

/* How light becomes a picture. */
typedef enum mote_Tone {
    MOTE_TONE_LINEAR, /* light as it is; files clip it at 1 */
    MOTE_TONE_FILMIC, /* a curve with a soft shoulder for each of red, green and blue */
    MOTE_TONE_NATURAL /* the same curve for the strongest of them: hues stay, the brightest pale */
} mote_Tone;

/* What kind of light it is. */
typedef enum mote_LightType {
    MOTE_LIGHT_SUN,  /* far away: the same direction everywhere */
    MOTE_LIGHT_POINT /* at a place; falls off with the square of the distance */
} mote_LightType;

/* A light. A white surface that faces it has the light's colour: a point light's at 1 m. */
typedef struct mote_Light {
    mote_LightType type; /* which of them */
    mote_Vec3 toward;    /* direction to a sun; its length does not matter */
    mote_Vec3 at;        /* m, place of a point light */
    mote_Vec3 color;     /* linear RGB */
    mote_real intensity; /* factor on its colour */
    mote_real size;      /* a sun's radius in degrees, a point light's in m: how soft shadows are */
    bool shadows; /* shapes, triangles and lit particles keep its light from what is behind */
} mote_Light;

/* Lights of a picture. */
enum { MOTE_LIGHTS_MOST = 8 };

/* How a shape is drawn; shapes without one are drawn in a colour of the ground. */
typedef struct mote_ShapeLook {
    const char *shape;   /* name of the collider or body */
    mote_Vec3 color;     /* linear RGB; a negative part: like the ground, but lighter */
    mote_real roughness; /* 0.05 to 1: how wide highlights are */
    mote_real gloss;     /* 0 to 1: strength of highlights and of the mirrored sky */
    bool visible;        /* is it drawn? */
    bool wireframe;      /* edges alone */
    bool glass;          /* traced pictures: thin panes of glass, from both sides */
    bool open;           /* glass without the pane that is on top */
    /* Of traced pictures: */
    bool metal;           /* mirrors in its colour, as sharp as it is smooth */
    mote_real refraction; /* glass: index of what it is filled with; 0: it is thin panes */
    mote_real frost;      /* 0 to 1: how rough solid glass is */
    /* Colours on its surface instead of `color`: a ball wears the picture once around, on other
     * shapes it is laid from the side that a place faces most and repeated. NULL: none. */
    const mote_Image *texture;
    mote_real
        texture_size; /* m that one copy is wide; not of balls, nor where a mesh's file says */
    uint64_t checker; /* squares across a copy, of `color` and `color2`; 0: none */
    mote_Vec3 color2; /* linear RGB */
} mote_ShapeLook;

/* For finding out what is going on: bits of mote_RenderDef.show. */
enum {
    MOTE_SHOW_WIREFRAME = 1, /* edges of all shapes */
    MOTE_SHOW_BOUNDS = 2,    /* boxes around systems and shapes */
    MOTE_SHOW_LINKS = 4,     /* links of all systems */
    MOTE_SHOW_AXES = 8       /* x red, y green, z blue, 1 m each */
};

/* What the colours of a system mean; drawn by runs, not by mote_render. */
typedef struct mote_Legend {
    const char *title; /* NULL: no legend */
    const char *map;   /* row of the colour maps */
    double low, high;  /* values at its ends */
} mote_Legend;

/* A number over time, set into the picture with the legends: as far as the picture's time. */
typedef struct mote_PicturePlot {
    const char *title;            /* "height (m)" */
    const double *times, *values; /* s; those that are not finite interrupt the line */
    size_t count, stride;         /* values[i * stride] belongs to times[i] */
} mote_PicturePlot;

/* Pictures by tracing paths of light; minutes instead of milliseconds. Light from all around is the
 * sky's own. A system whose profile is "liquid" without a surface is refused. */
typedef struct mote_TraceDef {
    uint64_t samples; /* paths of each pixel; 0: splats instead */
    uint64_t bounces; /* surfaces that a path meets at most */
    mote_real limit;  /* most light that a path brings from where chance led it: less noise */
    bool denoise;     /* averages pixels that see much the same surface in much the same light */
} mote_TraceDef;

/* A plane cut through a frame: a quantity of the particles around it as colours, with lines of
 * equal value and arrows of the velocity. */
typedef struct mote_Slice {
    const char *system; /* whose particles; NULL: the first that has the column */
    const char *column; /* "pressure"; "velocity.x", or "velocity" for its length; NULL: "speed" */
    int axis;           /* 0, 1, 2: across x, y, z */
    mote_real at;       /* m along that axis */
    const char *map;    /* row of the colour maps; NULL: "viridis" */
    double low, high;   /* values at its ends; equal: by mote_slice_range */
    uint32_t lines;     /* lines of equal value, evenly between the ends; 0: none */
    uint32_t arrows;    /* across the picture; 0: none */
} mote_Slice;

/* A picture. */
typedef struct mote_RenderDef {
    size_t size;            /* bytes, by mote_render_def() */
    mote_Camera camera;     /* where from */
    mote_Backdrop backdrop; /* the sky */
    mote_GroundLook ground; /* how planes are drawn */
    const mote_Look *looks; /* may be NULL: mote_look_def for every system */
    size_t look_count;
    const mote_ShapeLook *shapes; /* may be NULL */
    size_t shape_count;
    const mote_Light *lights; /* NULL: a sun behind the camera's shoulder, and light of the sky */
    size_t light_count;       /* at most MOTE_LIGHTS_MOST */
    mote_Vec3 ambient;        /* linear RGB of light from all around, where lights are given */
    const mote_Frame *const *history; /* earlier frames for trails, newest first; may be NULL */
    size_t history_count;
    mote_Vec3 wrap; /* m, length of the periodic axes, 0 for others: trails do not cross the box */
    uint32_t show;  /* MOTE_SHOW_... */
    const mote_Legend *legends; /* may be NULL */
    size_t legend_count;
    bool scale_bar;      /* with the legends: a round length, as long as it is seen at `to` */
    mote_real exposure;  /* factor on all light, before bloom and tone */
    mote_real bloom;     /* 0 to 1: part of the light that is spread as glow */
    mote_Tone tone;      /* of the whole picture */
    mote_TraceDef trace; /* by paths of light, instead of splats */
    /* While a picture is traced: how much of it is done, 0 to 1; false stops it. May be NULL. */
    bool (*progress)(void *context, double done);
    void *progress_context;
    mote_Tasks *tasks;  /* NULL: on the calling thread */
    bool clock;         /* with the legends: the time, in the upper left corner */
    double time;        /* s, that it shows */
    bool auto_exposure; /* before `exposure`: the middle of the picture's lights becomes grey */
    const char *label;  /* with the legends: words in the upper right corner; NULL: none */
    const mote_PicturePlot *plots; /* with the legends, below the label; may be NULL */
    size_t plot_count;
    /* Drawn instead of everything else; the camera looks at its plane, see mote_slice_camera. NULL:
     * none. */
    const mote_Slice *slice;
    /* Traced: how many photons are shot from the lights at what bends light; 130 bytes each. Light
     * that liquids, solid glass, panes and smooth metal send to dull surfaces comes by them. 0: it
     * goes straight through, without caustics. */
    uint64_t photons;
} mote_RenderDef;

MOTE_API mote_Camera mote_camera_def(void);
MOTE_API mote_Look mote_look_def(void);
MOTE_API mote_Light mote_light_def(void);
MOTE_API mote_ShapeLook mote_shape_look_def(void);
MOTE_API void mote_render_def_init(mote_RenderDef *def, size_t size);
MOTE_MAKER(mote_RenderDef, mote_render_def)

/* Looks at `to` from a side that has a name: "front", "back", "left", "right", "top", "bottom" or
 * "corner"; up_axis as in frames. */
MOTE_API mote_Status mote_camera_view(mote_Camera *camera, const char *name, int up_axis,
                                      mote_Error *error);

/* Pixels that a metre across the view has at `to`, in a picture of this height; 0 when there is
 * none. */
MOTE_API double mote_camera_scale(const mote_Camera *camera, int height);

/* Moves the camera along its present direction of view, so that every particle and every shape
 * that has an end is in a picture of this width / height and they fill it. Without any nothing
 * changes. Orbit and dolly become part of `from`. */
MOTE_API void mote_camera_fit(mote_Camera *camera, const mote_Frame *frame, double aspect);

/* The same for a box between two corners. */
MOTE_API void mote_camera_fit_box(mote_Camera *camera, mote_Vec3 low, mote_Vec3 high,
                                  double aspect);

/* Enlarges the box so that the frame's particles and shapes that have an end are in it; begin with
 * low above high. */
MOTE_API void mote_frame_enclose(const mote_Frame *frame, mote_Vec3 *low, mote_Vec3 *high);

/* Least and greatest value of the slice's quantity near its plane, without the last half percent at
 * each end. */
MOTE_API mote_Status mote_slice_range(const mote_Frame *frame, const mote_Slice *slice, double *low,
                                      double *high, mote_Error *error);

/* Looks straight at the slice's plane, without perspective, so that what is between the two corners
 * fills a picture of this width / height. */
MOTE_API mote_Status mote_slice_camera(const mote_Slice *slice, mote_Vec3 low, mote_Vec3 high,
                                       int up_axis, double aspect, mote_Camera *camera,
                                       mote_Error *error);

/* Draws the frame into the whole image. Particles whose place, radius or opacity is not finite or
 * not positive are left out. */
MOTE_API mote_Status mote_render(const mote_RenderDef *def, const mote_Frame *frame,
                                 mote_Image *image, mote_Error *error);

/* ---- colours of numbers ---------------------------------------------------------------------- */

/* Linear RGB of values between 0 and 1 by the map of that name ("viridis", ...; the family
 * "colormaps" lists them). Values outside get the colour of the end, NaN becomes black. */
MOTE_API mote_Status mote_colormap(const char *name, const double *values, size_t count,
                                   float (*colors)[3], mote_Error *error);

/* Linear RGB of the light of a black body; its luminance is 1 at 2000 K. Colours that no screen
 * shows are cut off at 0. */
MOTE_API void mote_blackbody(double kelvin, float color[3]);

/* ---- video ---------------------------------------------------------------------------------- */

/* Frames on their way through the `ffmpeg` program into a file: by its ending an animated WebP, a
 * GIF, or else H.264 (yuv420p). */
typedef struct mote_Video mote_Video;

/* How PNG files of a sequence are named where nothing else is said. */
#define MOTE_PNG_PATTERN "frame-%05d.png"

/* MOTE_UNAVAILABLE when there is no ffmpeg on the PATH; the message then holds the command that
 * makes the video elsewhere from PNG files of MOTE_PNG_PATTERN. */
MOTE_API mote_Status mote_video_open(const char *path, int width, int height, double fps,
                                     mote_Video **video, mote_Error *error);
/* The image has the size of the video. */
MOTE_API mote_Status mote_video_add(mote_Video *video, const mote_Image *image, mote_Error *error);
/* Finishes the file and frees the video, also on failure; NULL is allowed. The file appears under
 * its name when it is complete. */
MOTE_API mote_Status mote_video_close(mote_Video *video, mote_Error *error);
/* Gives the video up: no file. NULL is allowed. */
MOTE_API void mote_video_abandon(mote_Video *video);

/* Writes the command for a shell that makes a video at `path` from PNG files named by `pattern`
 * ("frame-%05d.png"), cut at the buffer's end. Returns its whole length, like snprintf. */
MOTE_API size_t mote_video_command(char *text, size_t size, const char *pattern, double fps,
                                   const char *path);

#ifdef __cplusplus
}
#endif
#endif
