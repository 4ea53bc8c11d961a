import { SignRequest } from '@atoll/contract/identity'

interface Overrides {
  event?: 'login_cloud' | 'activate_os'
  callbackUrl?: string
  body?: Record<string, unknown>
}

export const codeTime = 1_773_844_026_000

/** A sign request as a console or a wizard shows it. */
export function signRequest({ event = 'login_cloud', callbackUrl, body }: Overrides = {}): SignRequest {
  const signBody = {
    secret: '00112233445566778899aabbccddeeff',
    time: codeTime,
    ...(event !== 'login_cloud' && { event }),
    ...body,
  }
  return SignRequest.parse({
    topic: 'sign',
    event,
    message: {
      id: 'm1',
      data: signBody,
      sign: { callback_url: callbackUrl ?? 'https://console.atoll.example/v2/user/login', sign_body: signBody },
    },
  })
}
