/**
 * Keys of our own field checks. A schema's message is such a key, since it cannot depend on the reader;
 * `@atoll/texts/fields` has the texts.
 */
export const wireFieldReasons = [
  'clusterId',
  'instanceId',
  'operationId',
  'sessionId',
  'requestId',
  'did',
  'jsonObject',
  'jws',
  'wholeNumber',
  'storableText',
  'timeOutside',
  'timeZone',
  'trueOrFalse',
] as const

export type WireFieldReason = (typeof wireFieldReasons)[number]
