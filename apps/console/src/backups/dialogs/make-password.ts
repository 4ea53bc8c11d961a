/** Letters and digits that are told apart on paper: a recovery sheet is read by people. */
const letters = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
/** With 56 letters 116 bits. */
const length = 20
/** Larger bytes are drawn again, so that no letter is likelier than another. */
const limit = 256 - (256 % letters.length)

/** A password that nobody guesses. */
export function makePassword(): string {
  let made = ''
  while (made.length < length)
    for (const byte of crypto.getRandomValues(new Uint8Array(length)))
      if (byte < limit && made.length < length) made += letters[byte % letters.length]
  return made
}
