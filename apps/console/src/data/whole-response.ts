/** How long a call may take, ms. */
export const callTimeoutMs = 30_000

/** A response with its body, which can be read once. */
export interface WholeResponse {
  response: Response
  text: string
}

export async function readWhole(response: Response): Promise<WholeResponse> {
  return { response, text: await response.text() }
}
