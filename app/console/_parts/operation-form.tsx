import type { BodyOf, Reference, WithParams } from '../../../lib/management/console-call'
import { Form, type FormProps } from './form'

/** Members that the form fixes; of a list, all of it. */
type FixedBody<Body> = Body extends readonly unknown[] ? Readonly<Body> : Partial<Body>

export type OperationFormProps = Omit<FormProps, 'operation'> & { operation: Reference }

/** The same for one operation: with the names of its path, and members of its body. */
export type FormOf<Of extends Reference> = { operation: Of; body?: FixedBody<BodyOf<Of>> } & WithParams<Of>

/** A form that calls one operation. */
export function OperationForm<Of extends Reference>(props: OperationFormProps & FormOf<Of>) {
  const { operation, ...form }: OperationFormProps = props
  return <Form {...form} operation={operation.name} />
}
