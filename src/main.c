/* The program: streams, environment and the last handler of panics; everything else is in cli/. */
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/panic.h"
#include "cli/cli.h"

static uint32_t terminal_width(void) {
  struct winsize size;
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

static const char *env(const char *name) { return getenv(name); }

static Str current_folder(Arena *arena) {
  char *folder = getcwd(NULL, 0);
  Str copy = folder ? str_copy(arena, str_from(folder)) : S("/");
  free(folder);
  return copy;
}

static int run(Cli *cli, int argc, char **argv) {
  uint32_t count = argc > 1 ? (uint32_t)argc - 1 : 0;
  Str *words = arena_array(&cli->arena, Str, count);
  for (uint32_t i = 0; i < count; i++) words[i] = str_from(argv[i + 1]);
  cli->cwd = current_folder(&cli->arena);
  return cli_run(cli, words, count);
}

int main(int argc, char **argv) {
  // Whoever closes the pipe has read enough: end quietly, also if the parent ignores the signal.
  signal(SIGPIPE, SIG_DFL);
  Fs disk = fs_disk();
  static Cli cli;
  cli.fs = &disk;
  cli.env = env;
  cli.streams = (CliStreams){.in = stdin,
                             .out = stdout,
                             .err = stderr,
                             .out_terminal = isatty(STDOUT_FILENO) != 0,
                             .err_terminal = isatty(STDERR_FILENO) != 0,
                             .width = terminal_width()};
  Panic panic;
  if (panic_enter(&panic)) {
    fprintf(stderr, "tfcheck: internal error: %s (%s:%d); please report it\n", panic.what, panic.file, panic.line);
    return STATUS_ERROR;
  }
  int status = run(&cli, argc, argv);
  panic_leave(&panic);
  cli_release(&cli);
  return status;
}
