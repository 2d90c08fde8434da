/**
 * Distinguishes files that ffprobe rejects from temporary failures. After a temporary failure, the file may still be
 * good.
 */

/** Thrown when a file could not be examined now, although it may be a good file. */
export class FileUnreadableError extends Error {
  /** True when the program was stopped because it took too long. */
  readonly hasTimedOut: boolean

  constructor(message: string, { cause }: { cause: unknown }) {
    super(message, { cause })
    this.hasTimedOut = (cause as { killed?: boolean }).killed === true
  }
}

/** Messages of the operating system that ffprobe prints when it cannot read a file. */
const SYSTEM_ERROR_PATTERN =
  /Input\/output error|Stale file handle|timed out|Cannot allocate memory|temporarily unavailable|Too many open files|Permission denied|No such file or directory|No such device|Host is down|not connected/
const CONTENT_REJECTED_EXIT_CODE = 1

/**
 * True when ffprobe could not start, was stopped (by a time limit or for lack of memory), or could not read the file.
 * False when ffprobe rejected the content of the file, or printed too much.
 */
export function isTemporaryProbeFailure(error: unknown): boolean {
  const { code, stderr = '' } = error as { code?: string | number | null; stderr?: string }
  if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return false
  return code !== CONTENT_REJECTED_EXIT_CODE || SYSTEM_ERROR_PATTERN.test(stderr)
}
