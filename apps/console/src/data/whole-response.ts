/** A response with its body, which can be read once. */
export interface WholeResponse {
  response: Response
  text: string
}

export async function readWhole(response: Response): Promise<WholeResponse> {
  return { response, text: await response.text() }
}
