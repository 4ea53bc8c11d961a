/** A tab of a browser, in what every engine's driver can do: real keys and presses, and scripts of the page. */
export interface Tab {
  open(url: string): Promise<void>
  /** The value of an expression of the page, as JSON carries it. */
  evaluate(expression: string): Promise<unknown>
  /** A press with the mouse, px from the corner of what is seen of the page. */
  pressAt(x: number, y: number): Promise<void>
  type(text: string): Promise<void>
  /** Shows the tab to the person, who sees one at a time. */
  bringToFront(): Promise<void>
  /** A PNG of what is seen. */
  takePicture(): Promise<Uint8Array>
}

export interface Engine extends AsyncDisposable {
  openTab(): Promise<Tab>
}
