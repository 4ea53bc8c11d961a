/** The reference of a create, on the same machine in the same minutes. */
export interface Reference extends AsyncDisposable {
  /** ms until an agent of its own has done the same install. */
  measure(): Promise<number>
}
