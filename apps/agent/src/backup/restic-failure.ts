/** What restic's end means. Exit codes first (10, 11: 0.17; 12: 0.17.1), then the words that older versions have. */
import type { BackupFailure } from '@atoll/contract/agents'
import { oneLine } from '../log.ts'

/** Ends a task with a kind of failure that the control plane knows; its message is for the operator. */
export class BackupProblem extends Error {
  readonly failure: BackupFailure
  constructor(failure: BackupFailure, message: string) {
    super(message)
    this.name = 'BackupProblem'
    this.failure = failure
  }
}

const byExitCode: Readonly<Record<number, BackupFailure>> = { 10: 'no_repository', 11: 'locked', 12: 'wrong_password' }

/** The first pattern that matches what restic said; the order matters where patterns share words. */
const byWords: readonly [RegExp, BackupFailure][] = [
  [/(unexpected|server response).*\b507\b/, 'quota'],
  [/wrong password or no key found/, 'wrong_password'],
  [/already locked/, 'locked'],
  [/no space left on device|disk quota exceeded/i, 'no_room'],
  [/ciphertext verification failed|Pack ID does not match|pack \w+: does not exist/, 'damaged'],
  [
    /connection refused|connection reset|no such host|no route to host|network is unreachable|i\/o timeout|x509:/,
    'unreachable',
  ],
  // The last: 0.18 asks no more for a file that it could not have for minutes.
  [/TLS handshake|deadline exceeded|unexpected EOF|circuit breaker open/, 'unreachable'],
  [/(unexpected|server response).*\b(401|403|429|50[0-6])\b/, 'unreachable'],
  [/no matching ID found|failed to (find|load) snapshot/, 'no_snapshot'],
  [/unable to open config file|<config\/> does not exist/, 'no_repository'],
]

/**
 * Answers for which restic would try again for minutes although nothing gets better: it is interrupted at the first.
 */
export function isHopeless(line: string): boolean {
  return /(unexpected|server response).*\b(401|403|507)\b/.test(line)
}

/** Whether restic says that it tries again. */
export function isRetry(line: string): boolean {
  return line.includes('returned error, retrying after')
}

/** Whether the line is about the connection to the repository only: restic retries or got through, and goes on. */
export function isOfTheWay(line: string): boolean {
  return isRetry(line) || /operation successful after \d+ retries/.test(line)
}

/** Whether restic counts: numbers in it mean nothing else. */
export function isCount(line: string): boolean {
  return line.startsWith('{"message_type":"status"') || /^\[[\d:]+\] +[\d.]+%/.test(line)
}

/** Of restic's exit code (null: a signal ended it) and the last lines that it said, oldest first. */
export function readFailure(code: number | null, lines: readonly string[], hide: (text: string) => string) {
  const all = lines.join('\n')
  const failure = (code !== null && byExitCode[code]) || byWords.find(([words]) => words.test(all))?.[1] || 'failed'
  const fatal = lines.findLast((line) => line.includes('Fatal:')) ?? lines.at(-1) ?? `restic ended with ${code}`
  return new BackupProblem(failure, hide(oneLine(wordsOf(fatal))).slice(0, 300))
}

/** With `--json` a version may say its last words as an object. */
function wordsOf(line: string): string {
  return /^\{.*"message":"((?:[^"\\]|\\.)*)"/.exec(line)?.[1] ?? line
}
