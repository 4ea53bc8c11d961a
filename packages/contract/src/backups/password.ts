/** Passwords of backups, which the server never sees: how they are written, and which ones are refused. */

/** Shortest password that the console takes, characters. */
export const leastPasswordLength = 10

/**
 * The one form in which a new password is used: a Mac and a phone may send other characters for the same ü. restic
 * drops blanks around it where a file holds it, as on the machine, and not where it asks a person: they are left out.
 */
export function normalPassword(password: string): string {
  return password.normalize('NFC').trim()
}

/** The forms in which a password may have been used before there was one form, as it was typed first. */
export function passwordForms(password: string): string[] {
  return [...new Set([password, normalPassword(password), password.normalize('NFD')])]
}

/** Whether restic cannot be given it: it takes one line. A tab or a line feed comes with what is pasted. */
export function hasControlCharacter(password: string): boolean {
  return /\p{Cc}/u.test(password)
}

/** Why a new password is refused; undefined: it is not. */
export function passwordFault(password: string): 'control' | 'blank' | 'short' | undefined {
  if (hasControlCharacter(password)) return 'control'
  // Format characters have no width: nobody sees them, either.
  if (password !== '' && /^[\p{White_Space}\p{Cf}]*$/u.test(password)) return 'blank'
  return [...normalPassword(password)].length < leastPasswordLength ? 'short' : undefined
}
