/**
 * How good a new password is, in a word. A rough count of what a guesser must try: the kinds of characters used, to
 * the power of the length that is left when repeats and runs count once. The lower bound of length is the server's.
 */
import { passwordLength } from '@atoll/contract/personal-server'

export type PasswordStrength = 'empty' | 'short' | 'long' | 'weak' | 'fair' | 'good' | 'strong'

const kinds: [RegExp, number][] = [
  [/[a-z]/, 26],
  [/[A-Z]/, 26],
  [/\d/, 10],
  [/[ -/:-@[-`{-~]/, 33],
  [/[^ -~]/, 100],
]
/** Words that a guesser tries first, whatever stands behind them. */
const common = /^(password|passw0rd|qwert|letmein|welcome|admin|iloveyou|abc123|123456)/i

/** `names`: what belongs to the person or the server and is worth nothing in a password. */
export function judgePassword(password: string, names: readonly string[] = []): PasswordStrength {
  if (password === '') return 'empty'
  if (password.length < passwordLength.min) return 'short'
  if (password.length > passwordLength.max) return 'long'
  const own = names.filter((name) => name.length > 2)
  const stripped = own.reduce((rest, name) => rest.toLowerCase().replaceAll(name.toLowerCase(), ''), password)
  if (common.test(password) && stripped.length < 16) return 'weak'
  const pool = kinds.reduce((sum, [kind, size]) => sum + (kind.test(password) ? size : 0), 0)
  const bits =
    Math.log2(pool) * countSurprises(own.length > 0 && stripped.length < password.length ? stripped : password)
  if (bits < 40) return 'weak'
  if (bits < 60) return 'fair'
  return bits < 80 ? 'good' : 'strong'
}

/** Characters that do not follow from the one before: not the same again, not its neighbour in the same direction. */
function countSurprises(text: string): number {
  let surprises = 0
  for (let at = 0; at < text.length; at += 1) {
    const step = text.charCodeAt(at) - text.charCodeAt(at - 1)
    if (at === 0 || Math.abs(step) > 1) surprises += 1
  }
  return surprises
}
