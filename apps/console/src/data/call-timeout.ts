/** How long a call may take, ms. */
export const callTimeoutMs = 30_000
