/* Makes the disk of a database fail when a file of this name is in the folder DISK_FAULTS: `flush` fails every flush, `readonly` every write
 * to a database and every attempt to open one for writing. Loaded with LD_PRELOAD. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int is_on(const char *fault)
{
    char path[4096];
    const char *folder = getenv("DISK_FAULTS");
    int before = errno, found;

    if (!folder || snprintf(path, sizeof path, "%s/%s", folder, fault) >= (int)sizeof path)
        return 0;
    found = access(path, F_OK) == 0;
    errno = before;
    return found;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int fsync(int file)
{
    if (is_on("flush")) {
        errno = EIO;
        return -1;
    }
    return REAL(fsync)(file);
}

int fdatasync(int file)
{
    if (is_on("flush")) {
        errno = EIO;
        return -1;
    }
    return REAL(fdatasync)(file);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset)
{
    if (is_on("readonly")) {
        errno = EROFS;
        return -1;
    }
    return REAL(pwrite64)(file, bytes, count, offset);
}

int ftruncate64(int file, off64_t length)
{
    if (is_on("readonly")) {
        errno = EROFS;
        return -1;
    }
    return REAL(ftruncate64)(file, length);
}

static int is_refused(const char *path, int flags)
{
    return (flags & O_ACCMODE) != O_RDONLY && strstr(path, ".sqlite") && is_on("readonly");
}

static mode_t mode_of(int flags, va_list rest)
{
    return flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
}

int open64(const char *path, int flags, ...)
{
    va_list rest;
    mode_t mode;

    va_start(rest, flags);
    mode = mode_of(flags, rest);
    va_end(rest);
    if (is_refused(path, flags)) {
        errno = EROFS;
        return -1;
    }
    return REAL(open64)(path, flags, mode);
}

int open(const char *path, int flags, ...)
{
    va_list rest;
    mode_t mode;

    va_start(rest, flags);
    mode = mode_of(flags, rest);
    va_end(rest);
    if (is_refused(path, flags)) {
        errno = EROFS;
        return -1;
    }
    return REAL(open)(path, flags, mode);
}
