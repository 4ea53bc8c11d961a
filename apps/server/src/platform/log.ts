import { writeSync } from 'node:fs'
import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino'

export type Log = Logger

/** How names end whose values are secrets wherever they stand in a logged object; without case, `-` and `_`. */
const secretName =
  /(authorization|cookie|token|tokenhash|password|secret|secretkey|jws|mnemonic|databaseurl|smtpurl|connectionstring)$/

/** pino does not pass what a child logger is bound to through our masking; it masks these names itself. */
const boundNames = ['token', 'enrollToken', 'password', 'oneTimePassword', 'secret', 'jws', 'authorization', 'cookie']

const masked = '[secret]'
const deepest = 6

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/**
 * A copy of `value` with every secret masked by name, at any depth down to six; deeper parts are left out rather than
 * trusted. Errors and class instances pass as they are: pino's serialisers choose what of them is written.
 */
function maskSecrets(value: unknown, depth = 0): unknown {
  if (Array.isArray(value)) return depth >= deepest ? '[…]' : value.map((item) => maskSecrets(item, depth + 1))
  if (!isPlainObject(value)) return value
  if (depth >= deepest) return '[…]'
  const copy: Record<string, unknown> = {}
  for (const [name, item] of Object.entries(value)) {
    const hide = secretName.test(name.toLowerCase().replaceAll(/[-_]/g, '')) && item !== null && item !== undefined
    copy[name] = hide ? masked : maskSecrets(item, depth + 1)
  }
  return copy
}

/** DIDs as they are and as they stand in an address of the web. */
const didPattern = /did(?::|%3a)[a-z0-9]+(?::|%3a)[\w.:%-]*[\w%-]/gi
/**
 * A JSON escape, or the longest text that may be the local part of a mail address, with the rest where it is one. Each
 * character is looked at once, however long a client's line is; an escape stays whole, or the line would be no JSON.
 */
const wordPattern = /\\(?:u[0-9a-f]{4}|.)|[^\s"'`\\<>()[\]{},;:/=@]+(?:@(?:[\p{L}\p{N}-]+\.)+\p{L}[\p{L}\p{N}-]+)?/giu
/** The same within a word, as an address of the web has it. */
const encodedPattern = /%40(?:[\p{L}\p{N}-]+\.)+\p{L}[\p{L}\p{N}-]+/iu

/**
 * A line without DIDs and mail addresses, wherever they stand: in the text of a database error, in a path. The
 * account's id says whom a line is about. IDs (`name@domain`) look like mail addresses.
 */
function hidePeople(line: string): string {
  return line
    .replace(didPattern, '[did]')
    .replace(wordPattern, (word) =>
      !word.startsWith('\\') && (word.includes('@') || encodedPattern.test(word)) ? '[address]' : word,
    )
}

const addressPattern = /\b(?:\d{1,3}\.){3}\d{1,3}\b|(?<![\w:.])(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{1,4}(?![\w:])/gi
const secretValue = /("[^"]*(?:token|password|secret|authorization|cookie|jws|mnemonic)"\s*:\s*)"(?:[^"\\]|\\.)*"/gi

/** The same within a text: JSON whose quotes are escaped, what programs print, and what a login stands in. */
const secretsWithin = [
  /(\\{1,9}"[^"\\]*(?:token|password|secret|authorization|cookie|jws|mnemonic)\\{1,9}"\s*:\s*\\{1,9}")[^"\\]*/gi,
  /(\b(?:Bearer|Basic)\s+)[\w.~+/=-]{8,}/gi,
  /(:\/\/[^\s/:@"\\]*:)[^\s/@"\\]+(?=@)/g,
  /((?:token|password|secret|api_?key|cookie|jws|mnemonic)\s*[=:]\s*)[^\s"'\\,;&<>{}[\]]+/gi,
]

/** A text that leaves the deployment: without people, addresses of the network and values of secret names. */
export function hideFromText(text: string): string {
  const without = secretsWithin.reduce((rest, pattern) => rest.replace(pattern, `$1${masked}`), text)
  return hidePeople(without).replace(secretValue, `$1"${masked}"`).replace(addressPattern, '[address]')
}

interface WrittenError {
  type: string
  message: string
  code: string | undefined
  stack: string | undefined
  cause: WrittenError | undefined
}

/** The logged part of an error. Not its other fields: database and HTTP errors carry whole clients and requests. */
function writeError(error: unknown, depth = 0): WrittenError | undefined {
  if (error === undefined || depth > 4) return undefined
  if (!(error instanceof Error))
    return { type: typeof error, message: String(error), code: undefined, stack: undefined, cause: undefined }
  const code = 'code' in error ? String(error.code) : undefined
  return {
    type: error.name,
    message: error.message,
    code,
    stack: error.stack,
    cause: writeError(error.cause, depth + 1),
  }
}

/** How often a descriptor that is full for now is tried again before its line counts as lost. */
const mostTries = 1000

/**
 * Writes lines to a descriptor and never fails its caller: what cannot be written, because its disk is full or nobody
 * reads any more, is lost, and how much was lost is written once it can be again. `write`: for tests.
 */
export function safeDestination(
  fd: number,
  write: (fd: number, bytes: Uint8Array) => number = (to, bytes) => writeSync(to, bytes),
): DestinationStream {
  let lost = 0
  /** The rest of a line that was cut by a full disk. */
  let isCut = false

  function tryWrite(line: string): boolean {
    let rest: Uint8Array = Buffer.from(isCut ? `\n${line}` : line)
    for (let tries = 0; rest.length > 0; ) {
      try {
        const written = write(fd, rest)
        rest = rest.subarray(written)
        isCut = rest.length > 0
      } catch (error) {
        tries += 1
        const isFullForNow = error instanceof Error && 'code' in error && error.code === 'EAGAIN'
        if (!isFullForNow || tries > mostTries) return false
      }
    }
    return true
  }

  return {
    write(line) {
      if (lost > 0) {
        const notice = { level: 'error', time: new Date().toISOString(), lost, msg: 'lines of the log were lost' }
        if (!tryWrite(`${JSON.stringify(notice)}\n`)) {
          lost += 1
          return
        }
        lost = 0
      }
      if (!tryWrite(line)) lost += 1
    },
  }
}

/**
 * A JSON-lines logger to `destination` (default: standard error). Secrets are masked by the name of their field before
 * writing, and people's DIDs, IDs and mail addresses by their form.
 */
export function createLog(options: { level: string }, destination: DestinationStream = safeDestination(2)): Log {
  return pino(
    {
      level: options.level,
      base: null,
      redact: { paths: boundNames, censor: (value) => (value === null || value === undefined ? value : masked) },
      timestamp: stdTimeFunctions.isoTime,
      serializers: { err: (error: unknown) => writeError(error) },
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => maskSecrets(fields) as Record<string, unknown>,
      },
    },
    { write: (line) => destination.write(hidePeople(line)) },
  )
}

/** A logger that writes nothing, for tests and tools. */
export const silentLog: Log = pino({ level: 'silent' })
