/** The parts that the conformance tests use of two libraries without types of their own. */
declare module '@digitalbazaar/vc-bitstring-status-list' {
  /** Throws for what is no list. */
  export function decodeList(given: { encodedList: string }): Promise<{
    length: number
    getStatus(index: number): boolean
  }>
  /** Throws unless the context of the credential says what such a status is. */
  export function getCredentialStatus(given: { credential: object; statusPurpose: string }): object
  /** `verified`: every status could be read; `status`: the bit is set. */
  export function checkStatus(given: {
    credential: object
    documentLoader: (url: string) => Promise<{ document: object }>
    /** A list that is a JWT has no proof inside. */
    verifyBitstringStatusListCredential: boolean
  }): Promise<{ verified: boolean; error?: Error; results?: { status: boolean }[] }>
}

declare module '@digitalbazaar/vc' {
  /** Throws for what is no credential of the data model 1.1 or 2.0, by its context. */
  export function _checkCredential(given: { credential: object; now: Date }): void
}
