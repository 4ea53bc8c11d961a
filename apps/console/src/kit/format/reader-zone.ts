/** The time zone that deadlines are written in, an IANA name. */
let ofAccount: string | undefined

/** The account's zone; undefined: that of the browser, until the account has one. */
export function setReaderZone(zone: string | undefined): void {
  ofAccount = zone
}

export function readerZone(): string {
  return ofAccount ?? browserZone()
}

/** The time zone of this browser. */
export function browserZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}
