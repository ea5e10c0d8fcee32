/* What mote uses of OpenCL 1.2, declared here, so that it is built without anybody's headers. Names
 * and numbers are those of the standard (Khronos, OpenCL 1.2, 2011); only opencl.c calls it. */
#ifndef DEVICE_OPENCL_H
#define DEVICE_OPENCL_H

#include <stddef.h>
#include <stdint.h>

typedef struct ClObject *ClHandle; /* platform, device, context, queue, program, kernel, memory,
                                    event */
typedef int32_t ClStatus;          /* 0: it went well */
typedef intptr_t ClProperty;

enum {
    CL_PLATFORM_NAME = 0x0902,
    CL_DEVICE_TYPE = 0x1000,
    CL_DEVICE_MAX_MEM_ALLOC_SIZE = 0x1010,
    CL_DEVICE_SINGLE_FP_CONFIG = 0x101B,
    CL_DEVICE_GLOBAL_MEM_SIZE = 0x101F,
    CL_DEVICE_ENDIAN_LITTLE = 0x1026,
    CL_DEVICE_COMPILER_AVAILABLE = 0x1028,
    CL_DEVICE_NAME = 0x102B,
    CL_DRIVER_VERSION = 0x102D,
    CL_DEVICE_EXTENSIONS = 0x1030,
    CL_DEVICE_DOUBLE_FP_CONFIG = 0x1032,
    CL_PROGRAM_BINARY_SIZES = 0x1165,
    CL_PROGRAM_BINARIES = 0x1166,
    CL_PROGRAM_BUILD_LOG = 0x1183,
    CL_CONTEXT_PLATFORM = 0x1084,
    CL_KERNEL_FUNCTION_NAME = 0x1190,
    CL_PROFILING_COMMAND_START = 0x1282,
    CL_PROFILING_COMMAND_END = 0x1283
};

enum { CL_QUEUE_PROFILING = 2 };

enum { CL_TYPE_GPU = 4 };
static const uint64_t cl_type_all = 0xFFFFFFFF;

/* What a device says of its numbers. */
enum {
    CL_FP_DENORM = 1,
    CL_FP_INF_NAN = 2,
    CL_FP_ROUND_TO_NEAREST = 4,
    CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT = 128
};

enum { CL_MEM_READ_WRITE = 1, CL_MEM_ALLOC_HOST_PTR = 16 };
enum { CL_MAP_READ = 1, CL_MAP_WRITE = 2 };
enum { CL_OUT_OF_MEMORY = -4, CL_NO_SUCH_KERNEL = -46 };

typedef void ClNotify(const char *text, const void *data, size_t size, void *user);
typedef void ClBuilt(ClHandle program, void *user);

/* X(result, name without cl, arguments) */
#define CL_FUNCTIONS(X)                                                                            \
    X(ClStatus, GetPlatformIDs, (uint32_t room, ClHandle * platforms, uint32_t * count))           \
    X(ClStatus, GetPlatformInfo,                                                                   \
      (ClHandle platform, uint32_t what, size_t room, void *value, size_t *size))                  \
    X(ClStatus, GetDeviceIDs,                                                                      \
      (ClHandle platform, uint64_t type, uint32_t room, ClHandle * devices, uint32_t * count))     \
    X(ClStatus, GetDeviceInfo,                                                                     \
      (ClHandle device, uint32_t what, size_t room, void *value, size_t *size))                    \
    X(ClHandle, CreateContext,                                                                     \
      (const ClProperty *properties, uint32_t count, const ClHandle *devices, ClNotify *notify,    \
       void *user, ClStatus *status))                                                              \
    X(ClStatus, ReleaseContext, (ClHandle context))                                                \
    X(ClHandle, CreateCommandQueue,                                                                \
      (ClHandle context, ClHandle device, uint64_t properties, ClStatus * status))                 \
    X(ClStatus, ReleaseCommandQueue, (ClHandle queue))                                             \
    X(ClHandle, CreateBuffer,                                                                      \
      (ClHandle context, uint64_t flags, size_t size, void *host, ClStatus *status))               \
    X(ClStatus, ReleaseMemObject, (ClHandle memory))                                               \
    X(ClHandle, CreateProgramWithSource,                                                           \
      (ClHandle context, uint32_t count, const char **texts, const size_t *lengths,                \
       ClStatus *status))                                                                          \
    X(ClHandle, CreateProgramWithBinary,                                                           \
      (ClHandle context, uint32_t count, const ClHandle *devices, const size_t *sizes,             \
       const unsigned char **binaries, ClStatus *each, ClStatus *status))                          \
    X(ClStatus, BuildProgram,                                                                      \
      (ClHandle program, uint32_t count, const ClHandle *devices, const char *options,             \
       ClBuilt *built, void *user))                                                                \
    X(ClStatus, GetProgramInfo,                                                                    \
      (ClHandle program, uint32_t what, size_t room, void *value, size_t *size))                   \
    X(ClStatus, GetProgramBuildInfo,                                                               \
      (ClHandle program, ClHandle device, uint32_t what, size_t room, void *value, size_t *size))  \
    X(ClStatus, ReleaseProgram, (ClHandle program))                                                \
    X(ClHandle, CreateKernel, (ClHandle program, const char *name, ClStatus *status))              \
    X(ClStatus, ReleaseKernel, (ClHandle kernel))                                                  \
    X(ClStatus, GetKernelInfo,                                                                     \
      (ClHandle kernel, uint32_t what, size_t room, void *value, size_t *size))                    \
    X(ClStatus, GetEventProfilingInfo,                                                             \
      (ClHandle event, uint32_t what, size_t room, void *value, size_t *size))                     \
    X(ClStatus, ReleaseEvent, (ClHandle event))                                                    \
    X(ClStatus, SetKernelArg, (ClHandle kernel, uint32_t number, size_t size, const void *value))  \
    X(ClStatus, EnqueueNDRangeKernel,                                                              \
      (ClHandle queue, ClHandle kernel, uint32_t dimension, const size_t *offset,                  \
       const size_t *items, const size_t *group, uint32_t waits, const ClHandle *wait,             \
       ClHandle *event))                                                                           \
    X(ClStatus, EnqueueReadBuffer,                                                                 \
      (ClHandle queue, ClHandle memory, uint32_t blocks, size_t offset, size_t size, void *to,     \
       uint32_t waits, const ClHandle *wait, ClHandle *event))                                     \
    X(ClStatus, EnqueueWriteBuffer,                                                                \
      (ClHandle queue, ClHandle memory, uint32_t blocks, size_t offset, size_t size,               \
       const void *from, uint32_t waits, const ClHandle *wait, ClHandle *event))                   \
    X(void *, EnqueueMapBuffer,                                                                    \
      (ClHandle queue, ClHandle memory, uint32_t blocks, uint64_t flags, size_t offset,            \
       size_t size, uint32_t waits, const ClHandle *wait, ClHandle *event, ClStatus *status))      \
    X(ClStatus, EnqueueUnmapMemObject,                                                             \
      (ClHandle queue, ClHandle memory, void *mapped, uint32_t waits, const ClHandle *wait,        \
       ClHandle *event))                                                                           \
    X(ClStatus, EnqueueFillBuffer,                                                                 \
      (ClHandle queue, ClHandle memory, const void *pattern, size_t pattern_size, size_t offset,   \
       size_t size, uint32_t waits, const ClHandle *wait, ClHandle *event))                        \
    X(ClStatus, WaitForEvents, (uint32_t count, const ClHandle *events))                           \
    X(ClStatus, Flush, (ClHandle queue))                                                           \
    X(ClStatus, Finish, (ClHandle queue))

#endif
