/** Whether what a person types into a search is a query (docs/management-api.md#searches) and not words alone. */
export const isQuery = (text: string): boolean => /[:*?"()[\]{}]|\b(?:AND|OR|NOT)\b/.test(text)

export const quoted = (text: string): string => `"${text.replaceAll(/[\\"]/g, '\\$&')}"`
