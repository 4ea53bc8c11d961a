/** The meaning of restic's end. Exit codes first (10, 11: 0.17; 12: 0.17.1), then the messages of older versions. */
import type { BackupFailure } from '@atoll/contract/agents'
import { oneLine } from '../../kernel/log.ts'

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

/** Stored data is damaged or gone; `Unmarshal` is 0.14's message about a key file. */
const damage = new RegExp(
  [
    ...[
      'ciphertext verification failed',
      'Pack ID does not match',
      'pack \\w+: does not exist',
      'invalid data returned',
    ],
    ...['config or key \\w+ is damaged', 'Unmarshal: ', '<data/\\w+> does not exist'],
    // A range that the file is too short for.
    ...['not found in (repository|index)', 'unexpected EOF in pack', 'unexpected HTTP response \\(416\\)'],
  ].join('|'),
)

/** Whether restic's words are about damage of what is stored. */
export function isDamage(words: string): boolean {
  return damage.test(words)
}

/** The first pattern that matches what restic said; the order matters where patterns share words. */
const byWords: readonly [RegExp, BackupFailure][] = [
  [/(unexpected|server response).*\b507\b/, 'quota'],
  [/wrong password or no key found/, 'wrong_password'],
  [/already locked/, 'locked'],
  [/no space left on device|disk quota exceeded/i, 'no_room'],
  [damage, 'damaged'],
  [
    /connection refused|connection reset|no such host|no route to host|network is unreachable|i\/o timeout|x509:/,
    'unreachable',
  ],
  // The last: 0.18 asks no more for a file that it could not have for minutes.
  [/TLS handshake|deadline exceeded|unexpected EOF|circuit breaker open/, 'unreachable'],
  [/(unexpected|server response).*\b(401|403|429|50[0-6])\b/, 'unreachable'],
  [/no matching ID found|failed to (find|load) snapshot/, 'no_snapshot'],
  [/unable to open config file|<config\/> does not exist/, 'no_repository'],
  // `stats` of 0.18 crashes where it cannot read the list of a folder inside. Last: if the vault is away, it says so
  // first.
  [/restic\/internal\/walker\.walk\(/, 'damaged'],
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

/** Whether restic says which stored file it is about: `error loading index 6806c5da…`, `pack 1f84f3c0: …` */
export function namesFile(line: string): boolean {
  return /\b(index|pack|snapshot|key) \(?[0-9a-f]{8,64}\b/i.test(line)
}

/** Of restic's exit code (null: a signal ended it) and the last lines that it said, oldest first. */
export function readFailure(code: number | null, lines: readonly string[], hide: (text: string) => string) {
  const all = lines.join('\n')
  const failure = (code !== null && byExitCode[code]) || byWords.find(([words]) => words.test(all))?.[1] || 'failed'
  // Its last words often leave out which stored file it is.
  const named = failure === 'damaged' ? lines.find(namesFile) : undefined
  const fatal =
    named ?? lines.findLast((line) => /Fatal:|^panic:/.test(line)) ?? lines.at(-1) ?? `restic ended with ${code}`
  return new BackupProblem(failure, hide(oneLine(wordsOf(fatal))).slice(0, 300))
}

/** With `--json` a version may say its last words as an object. */
function wordsOf(line: string): string {
  return /^\{.*"message":"((?:[^"\\]|\\.)*)"/.exec(line)?.[1] ?? line
}
