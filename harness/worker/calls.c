/*
 * The filter lists what is refused: calls that reach other processes, the machine, or memory that no
 * limit counts.  Other calls pass, because not all calls that CUDA, OpenMP and libraries need are known.
 */
#define _GNU_SOURCE
#include "harness/worker/calls.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "harness/model/arena.h"

#if defined(__x86_64__)
#define OURS AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OURS AUDIT_ARCH_AARCH64
#else
#define OURS 0 /* no filter */
#endif

#ifndef SECCOMP_FILTER_FLAG_SPEC_ALLOW
#define SECCOMP_FILTER_FLAG_SPEC_ALLOW 4
#endif
#ifndef SECCOMP_RET_KILL_PROCESS
#define SECCOMP_RET_KILL_PROCESS 0x80000000U
#endif

struct call {
    int number;
    const char *name;
};

#define CALL(name) {SYS_##name, #name}

/* Calls that no variant and no library needs. */
static const struct call attacks[] = {
    CALL(ptrace), CALL(process_vm_readv), CALL(process_vm_writev), CALL(bpf), CALL(mount),
    CALL(umount2), CALL(pivot_root), CALL(chroot), CALL(unshare), CALL(setns), CALL(add_key),
    CALL(keyctl), CALL(request_key), CALL(init_module), CALL(finit_module), CALL(delete_module),
    CALL(kexec_load), CALL(reboot), CALL(swapon), CALL(swapoff), CALL(open_by_handle_at),
    CALL(acct), CALL(settimeofday), CALL(clock_settime), CALL(quotactl), CALL(sethostname),
    CALL(setdomainname), CALL(vhangup), CALL(kcmp),
#ifdef SYS_iopl
    CALL(iopl), CALL(ioperm),
#endif
#ifdef SYS_pidfd_send_signal
    CALL(pidfd_send_signal), CALL(open_tree), CALL(move_mount), CALL(fsopen), CALL(fsmount),
    CALL(fsconfig), CALL(fspick),
#endif
#ifdef SYS_process_madvise
    CALL(process_madvise),
#endif
#ifdef SYS_process_mrelease
    CALL(process_mrelease),
#endif
#ifdef SYS_mount_setattr
    CALL(mount_setattr),
#endif
};

/* Calls that a library may try, and does without if they fail. */
static const struct call refused[] = {
    CALL(userfaultfd), CALL(perf_event_open), CALL(tkill),
    CALL(ioprio_set),
    CALL(remap_file_pages), CALL(move_pages), CALL(migrate_pages),
#ifdef SYS_io_uring_setup
    CALL(io_uring_setup),
#endif
#ifdef SYS_pidfd_open
    CALL(pidfd_open),
#endif
#ifdef SYS_pidfd_getfd
    CALL(pidfd_getfd),
#endif
};

/* A group of its own would not be ended with the worker's.  An engine's processes end with their namespace. */
static const struct call groups[] = {CALL(setsid), CALL(setpgid)};

/* A variant on the CPU shares no memory: no limit would count it, and it could outlive the process. */
static const struct call sharing[] = {
    CALL(memfd_create), CALL(shmget), CALL(shmat), CALL(mq_open), CALL(semget), CALL(msgget),
#ifdef SYS_memfd_secret
    CALL(memfd_secret),
#endif
};

/* Watches, of which each user has a few: a variant could take those of the user's other programs. */
static const struct call watching[] = {
    CALL(inotify_init1), CALL(fanotify_init),
#ifdef SYS_inotify_init
    CALL(inotify_init),
#endif
};

/* File operations that Landlock does not cover.  A GPU's driver uses some for files of its own.  A
   lock on a file could keep a run from resuming. */
static const struct call renaming[] = {
    CALL(flock),
    CALL(truncate), CALL(fchmod), CALL(fchmodat), CALL(fchown), CALL(fchownat), CALL(utimensat),
    CALL(setxattr), CALL(lsetxattr), CALL(fsetxattr), CALL(removexattr), CALL(lremovexattr),
    CALL(fremovexattr),
#ifdef SYS_chmod
    CALL(chmod), CALL(chown), CALL(lchown), CALL(utime), CALL(utimes), CALL(futimesat),
#endif
#ifdef SYS_fchmodat2
    CALL(fchmodat2),
#endif
};

/* A variant on the CPU contacts no server: one of the user's own, such as a service manager, could do
   outside what the variant may not do itself.  Pairs of connected sockets remain, since they reach no
   other process. */
static const struct call connecting[] = {CALL(socket), CALL(connect), CALL(bind), CALL(listen)};

/* Signals, whose first argument is a process. */
static const struct call signals[] = {
    CALL(kill), CALL(tgkill), CALL(rt_sigqueueinfo), CALL(rt_tgsigqueueinfo),
};

#ifdef SYS_fork
/* Where they are calls of their own. */
static const struct call forks[] = {CALL(fork), CALL(vfork)};
#endif

/* Refused depending on their arguments. */
static const struct call others[] = {CALL(mmap), CALL(mremap), CALL(clone), CALL(socketpair),
#ifdef SYS_fork
                                     CALL(fork), CALL(vfork),
#endif
};

#define COUNT(list) (sizeof(list) / sizeof *(list))

static const char *name_in(const struct call list[], size_t count, int number)
{
    for (size_t i = 0; i < count; i++)
        if (list[i].number == number)
            return list[i].name;
    return NULL;
}

const char *calls_name(int number)
{
    const struct {
        const struct call *list;
        size_t count;
    } all[] = {{attacks, COUNT(attacks)}, {refused, COUNT(refused)}, {groups, COUNT(groups)}, {sharing, COUNT(sharing)},
               {renaming, COUNT(renaming)}, {connecting, COUNT(connecting)}, {watching, COUNT(watching)},
               {signals, COUNT(signals)}, {others, COUNT(others)}};

    for (size_t i = 0; i < COUNT(all); i++) {
        const char *name = name_in(all[i].list, all[i].count, number);
        if (name != NULL)
            return name;
    }
    return NULL;
}

/* --- the program ------------------------------------------------------------------------------- */

/* On both architectures seccomp_data is little endian: the low half of an argument comes first. */
#define ARGUMENT(n) (uint32_t)(offsetof(struct seccomp_data, args) + 8 * (n))
#define HIGH(n) (ARGUMENT(n) + 4)

enum { MOST = 512 };
static struct sock_filter program[MOST];
static unsigned short length;

static void add(uint16_t code, uint32_t value, uint8_t if_true, uint8_t if_false)
{
    if (length < MOST)
        program[length] = (struct sock_filter){code, if_true, if_false, value};
    length++;
}

static void load(uint32_t at)
{
    add(BPF_LD | BPF_W | BPF_ABS, at, 0, 0);
}

static void give(uint32_t verdict)
{
    add(BPF_RET | BPF_K, verdict, 0, 0);
}

/* Loads the call's number.  If it is this one, the next `steps` instructions decide. */
static void of_call(int number, uint8_t steps)
{
    add(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, steps);
}

static void refuse(const struct call list[], size_t count, uint32_t verdict)
{
    for (size_t i = 0; i < count; i++) {
        of_call(list[i].number, 1);
        give(verdict);
    }
}

/* Requires the argument to be one of two values. */
static void argument_is(int number, unsigned which, uint32_t one, uint32_t other, uint32_t verdict)
{
    of_call(number, 5);
    load(ARGUMENT(which));
    add(BPF_JMP | BPF_JEQ | BPF_K, one, 1, 0);
    add(BPF_JMP | BPF_JEQ | BPF_K, other, 0, 1);
    give(SECCOMP_RET_ALLOW);
    give(verdict);
}

/* Requires the argument, under the mask, to be neither of two values. */
static void argument_is_not(int number, unsigned which, uint32_t mask, uint32_t one, uint32_t other,
                            uint32_t verdict)
{
    of_call(number, 6);
    load(ARGUMENT(which));
    add(BPF_ALU | BPF_AND | BPF_K, mask, 0, 0);
    add(BPF_JMP | BPF_JEQ | BPF_K, one, 1, 0);
    add(BPF_JMP | BPF_JEQ | BPF_K, other, 0, 1);
    give(verdict);
    give(SECCOMP_RET_ALLOW);
}

/* For a common call: refuses one value of its argument; other rules follow. */
static void value_is_not(int number, unsigned which, uint32_t value)
{
    of_call(number, 4);
    load(ARGUMENT(which));
    add(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
    give(SECCOMP_RET_ERRNO | EPERM);
    load(offsetof(struct seccomp_data, nr));
}

/* Refuses requests by which a file sends signals to a process, leases, and larger pipes. */
static void refuse_owners(void)
{
    /* A lease on a file makes others wait for up to 45 s when they open it; pages of pipes are counted per user. */
    enum { F_SETSIG_ = 10, F_SETOWN_ = 8, F_SETOWN_EX_ = 15, F_SETLEASE_ = 1024, F_NOTIFY_ = 1026, F_SETPIPE_SZ_ = 1031 };
    const uint32_t owners[] = {F_SETSIG_, F_SETOWN_, F_SETOWN_EX_, F_SETLEASE_, F_NOTIFY_, F_SETPIPE_SZ_};
    const uint32_t requests[] = {0x8901 /* FIOSETOWN */, 0x8902 /* SIOCSPGRP */};

    for (size_t i = 0; i < COUNT(owners); i++)
        value_is_not(SYS_fcntl, 1, owners[i]);
    for (size_t i = 0; i < COUNT(requests); i++)
        value_is_not(SYS_ioctl, 1, requests[i]);
}

/* A terminal can be opened for reading, and then be stopped, silenced or typed into.  Only requests
   that query it and those that apply to any file remain. */
static void refuse_terminals(void)
{
    const uint32_t harmless[] = {0x5401 /* TCGETS */, 0x540F /* TIOCGPGRP */, 0x5411 /* TIOCOUTQ */,
                                 0x5413 /* TIOCGWINSZ */, 0x541B /* FIONREAD */, 0x5421 /* FIONBIO */,
                                 0x5450 /* FIONCLEX */, 0x5451 /* FIOCLEX */, 0x5452 /* FIOASYNC */};
    const unsigned count = (unsigned)COUNT(harmless);

    of_call(SYS_ioctl, (uint8_t)(count + 5));
    load(ARGUMENT(1));
    for (unsigned i = 0; i < count; i++)
        add(BPF_JMP | BPF_JEQ | BPF_K, harmless[i], (uint8_t)(count - i + 2), 0);
    add(BPF_ALU | BPF_AND | BPF_K, 0xff00, 0, 0);
    add(BPF_JMP | BPF_JEQ | BPF_K, 0x5400, 0, 1);
    give(SECCOMP_RET_ERRNO | EPERM);
    give(SECCOMP_RET_ALLOW);
}

/* A copy of the inputs' mapping would survive its end (harness/model/arena.h). */
static void keep_arena_in_place(uint32_t verdict)
{
    uintptr_t begin, end;

    arena_bounds(&begin, &end);
    of_call(SYS_mremap, 5);
    load(HIGH(0));
    add(BPF_JMP | BPF_JGE | BPF_K, (uint32_t)(begin >> 32), 0, 2);
    add(BPF_JMP | BPF_JGT | BPF_K, (uint32_t)((end - 1) >> 32), 1, 0);
    give(verdict);
    give(SECCOMP_RET_ALLOW);
}

/* One of a pair of datagram sockets can send to any other of that kind, such as the system log's. */
static void refuse_datagrams(void)
{
    const uint32_t types = 0xf;

    argument_is_not(SYS_socketpair, 1, types, SOCK_DGRAM, SOCK_RAW, SECCOMP_RET_ERRNO | EPERM);
}

/* No account of the worker would have the time of a process that is no thread of it. */
static void refuse_processes(uint32_t verdict)
{
    of_call(SYS_clone, 4);
    load(ARGUMENT(0));
    add(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0);
    give(verdict);
    load(offsetof(struct seccomp_data, nr));
#ifdef SYS_fork
    refuse(forks, COUNT(forks), verdict);
#endif
}

static void refuse_new_spaces(uint32_t verdict)
{
    const uint32_t spaces = CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC |
                            CLONE_NEWUTS | CLONE_NEWNS | CLONE_NEWCGROUP;

    of_call(SYS_clone, 6);
    load(ARGUMENT(0));
    add(BPF_JMP | BPF_JSET | BPF_K, spaces, 0, 1);
    give(verdict);
    /* with CLONE_PARENT, the child would not be a child of the worker */
    add(BPF_JMP | BPF_JSET | BPF_K, CLONE_PARENT, 1, 0);
    give(SECCOMP_RET_ALLOW);
    give(SECCOMP_RET_ERRNO | EPERM);
#ifdef SYS_clone3
    of_call(SYS_clone3, 1); /* its flags cannot be inspected; C libraries fall back to clone */
    give(SECCOMP_RET_ERRNO | ENOSYS);
#endif
}

static void begin_program(void)
{
    length = 0;
    load(offsetof(struct seccomp_data, arch));
    add(BPF_JMP | BPF_JEQ | BPF_K, OURS, 1, 0);
    give(SECCOMP_RET_KILL_PROCESS);
    load(offsetof(struct seccomp_data, nr));
#if defined(__x86_64__)
    add(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1); /* calls of the x32 ABI */
    give(SECCOMP_RET_ERRNO | ENOSYS);
#endif
}

static void write_program(enum reach reach)
{
    const bool engine = (reach & REACH_ENGINE) != 0, nothing = (reach | REACH_PROCESSES) == REACH_PROCESSES;
    const uint32_t no = SECCOMP_RET_ERRNO | EPERM, worst = nothing ? SECCOMP_RET_TRAP : no;
    const uint32_t self = (uint32_t)getpid();

    begin_program();
    refuse(attacks, COUNT(attacks), worst);
    refuse(refused, COUNT(refused), no);
    if (!engine) { /* otherwise the namespace has no processes but its own */
        refuse(groups, COUNT(groups), no);
        for (size_t i = 0; i < COUNT(signals); i++)
            argument_is(signals[i].number, 0, self, i == 0 ? 0 : self, worst);
    }
    argument_is(SYS_prlimit64, 0, 0, self, no);
    value_is_not(SYS_setpriority, 0, PRIO_USER); /* for all processes of a user */
    argument_is(SYS_setpriority, 1, 0, self, no);
    refuse_owners();
    refuse_terminals();
    keep_arena_in_place(worst);
    if (reach == REACH_NOTHING)
        refuse_processes(worst);
    refuse_new_spaces(worst);
    if (nothing || (engine && (reach & REACH_RANKS_CARDS) == 0)) {
        refuse(renaming, COUNT(renaming), no);
        refuse_datagrams();
    }
    if (engine) /* a socket with a name is a file, and may be a server's of the host */
        argument_is(SYS_socket, 0, AF_INET, AF_INET6, no);
    if (nothing) {
        refuse(sharing, COUNT(sharing), worst);
        refuse(connecting, COUNT(connecting), no);
        refuse(watching, COUNT(watching), no);
        argument_is_not(SYS_mmap, 3, MAP_TYPE | MAP_ANONYMOUS, MAP_SHARED | MAP_ANONYMOUS,
                        MAP_SHARED_VALIDATE | MAP_ANONYMOUS, worst);
    }
    give(SECCOMP_RET_ALLOW);
}

bool calls_hold(void)
{
    const uint32_t trap = SECCOMP_RET_TRAP;

    return OURS != 0 && syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &trap) == 0;
}

void calls_forbid(enum reach reach)
{
    struct sock_fprog whole = {.filter = program};

    if (!calls_hold())
        return;
    write_program(reach);
    whole.len = length;
    if (length > MOST || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return;
    /* Without the flag, kernels before 5.16 slow down a process that has a filter, because they
       disable speculation for it. */
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &whole) != 0)
        syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &whole);
}
