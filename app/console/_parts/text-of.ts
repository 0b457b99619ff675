// What a cell of a list says, as text for a file: the same definition draws the cell and writes the file.
import { isValidElement, type ReactNode } from 'react'
import { Moment } from './moment'

export function textOf(node: ReactNode): string {
  if (node === null || node === undefined || typeof node === 'boolean') return ''
  if (typeof node === 'string' || typeof node === 'number' || typeof node === 'bigint') return String(node)
  if (Array.isArray(node)) return node.map(textOf).join('')
  if (!isValidElement(node)) return ''
  const { at, children } = node.props as { at?: string | null; children?: ReactNode }
  return node.type === Moment ? (at ?? '') : textOf(children)
}
