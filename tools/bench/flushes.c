/* Counts what is flushed to the disk, and makes each flush slower, as a standby at a distance or a disk without a cache does. The file FLUSHES holds two
 * numbers of eight bytes: by how many microseconds a flush is slower, and how many there were. Loaded with LD_PRELOAD. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static struct {
    _Atomic uint64_t microseconds;
    _Atomic uint64_t count;
} *flushes;

__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv("FLUSHES");
    int file = path ? open(path, O_RDWR) : -1;
    void *shared;

    if (file < 0)
        return;
    shared = mmap(NULL, sizeof *flushes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (shared != MAP_FAILED)
        flushes = shared;
    close(file);
}

static void flush(void)
{
    if (!flushes)
        return;
    flushes->count++;
    if (flushes->microseconds)
        usleep(flushes->microseconds);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int fsync(int file)
{
    flush();
    return REAL(fsync)(file);
}

int fdatasync(int file)
{
    flush();
    return REAL(fdatasync)(file);
}
