/** Refusals that any call can answer. */
import { codes } from './envelope.ts'

/**
 * Rows of the error catalogue: the code of the envelope, and the field of the body that is refused, where a person
 * types it: a form shows the sentence there. The sentences stand in `packages/texts/<language>/shared/`.
 */
export type Refusals = Record<string, { code: number; field?: string }>

export const wireRefusals = {
  badParameter: { code: codes.badParameter },
  missingParameter: { code: codes.badParameter },
  unknownParameter: { code: codes.badParameter },
  bodyNotJson: { code: codes.badParameter },
  bodyNotObject: { code: codes.badParameter },
  bodyTooComplex: { code: codes.badParameter },
  requestMalformed: { code: codes.badParameter },
  methodWrong: { code: codes.methodWrong },
  unsupportedType: { code: codes.unsupportedType },
  signedOut: { code: codes.signedOut },
  notFound: { code: codes.notFound },
  callUnknown: { code: codes.notFound },
  addressUnknown: { code: codes.notFound },
  tooLarge: { code: codes.tooLarge },
  tooManyRequests: { code: codes.tooManyRequests },
  serverError: { code: codes.serverError },
  busy: { code: codes.unavailable },
  unavailable: { code: codes.unavailable },
  operatorOnly: { code: codes.forbidden },
  ownerOnly: { code: codes.forbidden },
  requestIdReused: { code: codes.conflict },
} as const satisfies Refusals
