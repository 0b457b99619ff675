import type { BodyOf, Reference, WithParams } from '../../../lib/management/console-call'
import { Form, type FormProps } from './form'

/** Members that the form fixes; of a list, all of it. */
type FixedBody<Body> = Body extends readonly unknown[] ? Readonly<Body> : Partial<Body>

export type OperationFormProps = Omit<FormProps, 'operation' | 'undo'> & {
  operation: Reference
  /** The call that takes back this one, with the same names of a path. */
  undo?: { operation: Reference; body: unknown }
}

/** The same for one operation: with the names of its path, and members of its body. */
export type FormOf<Of extends Reference> = { operation: Of; body?: FixedBody<BodyOf<Of>> } & WithParams<Of>

/** A form that calls one operation. */
export function OperationForm<Of extends Reference>(props: OperationFormProps & FormOf<Of>) {
  const { operation, undo, ...form }: OperationFormProps = props
  const about = JSON.stringify([operation.name, form.params, form.query])
  return (
    <Form
      key={about}
      {...form}
      {...(undo && { undo: { ...undo, operation: undo.operation.name } })}
      operation={operation.name}
    />
  )
}
