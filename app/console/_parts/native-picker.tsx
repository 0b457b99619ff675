import type { SearchedKind } from '../../../lib/server/next/console/field'
import { mayPick, pickedObject } from '../../../lib/server/next/console/find'
import type { Console } from '../../../lib/server/next/console/page'
import { Field } from './field'

type Props = {
  /** Of the control, as the form sends it. */
  name: string
  label: string
  kind: SearchedKind
  value: string | undefined
  required?: boolean
  console: Console
}

/** An object by its name in a form that the browser sends by itself; an id or a name is typed where the role may not look for it. */
export async function NativePicker({ name, label, kind, value = '', required = false, console }: Props) {
  const found = value === '' ? null : await pickedObject(kind, value, console)
  const field = {
    ...{ name, kind: 'text' as const, label, help: undefined, value, required },
    options: found ? [{ value: found.value, label: found.label }] : [],
    ...(mayPick(kind, console) && { search: kind }),
  }
  return <Field field={field} formId="picked" marksOptional controlName={name} />
}
