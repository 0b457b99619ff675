// Rows as CSV (RFC 4180) for programs that calculate: a cell that they would read as a formula begins with an apostrophe.

const FORMULA = /^[\s]*[=+\-@\t\r]/

const cellOf = (text: string): string => `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`

export const csvLine = (cells: readonly string[]): string => `${cells.map(cellOf).join(',')}\r\n`

/** Of a file in UTF-8, for spreadsheets that would take it for another encoding. */
export const BYTE_ORDER_MARK = '\uFEFF'
