export interface Lifetime {
  notBefore: Date
  notAfter: Date
}

/** When a certificate is renewed. */
export interface Renewal {
  at: Date
  /** The moment that was chosen where the authority suggests a time; null: our own rule. */
  chosen: Date | null
  /** When the authority is asked again. */
  lookAt: Date
}

/** Where nobody suggests a time: a certificate is renewed with a third of its life left. */
export function ownRule({ notBefore, notAfter }: Lifetime): Renewal {
  const at = new Date(notAfter.getTime() - (notAfter.getTime() - notBefore.getTime()) / 3)
  return { at, chosen: null, lookAt: at }
}
