/**
 * Whether the message of a bad parameter (code 501) begins with the field as the wire names it. Only a program can
 * mend such a request: a person gets other words.
 */
export function isForPrograms(message: string): boolean {
  return /^[\w-]+(\[[\w-]*\])*[:：]/.test(message)
}
