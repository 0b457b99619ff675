import type { Field } from '../../../lib/server/next/console/field'

/** What a refusal says of a member or of a part of it: `callbacks.1`. */
export type Refusal = { place: string; message: string }

export type ControlledField = {
  field: Field
  /** Of the form: controls are found by `<form>-<path>`. */
  formId: string
  refusal?: Refusal | undefined
  /** Whether the label says that the member may be left out. */
  marksOptional: boolean
  /** The name of the control, where it is a cell of a row. */
  controlName?: string
}

/** `callbacks.0` is about `callbacks`. */
export const isAbout = (refusal: Refusal | undefined, name: string): refusal is Refusal =>
  refusal !== undefined && (refusal.place === name || refusal.place.startsWith(`${name}.`))
