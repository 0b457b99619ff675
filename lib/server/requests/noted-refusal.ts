// A request that is refused before it becomes a login is one in the inspector: its step names the parameter and the rule.
import { DomainError } from '../../kernel/errors'
import type { Parameters } from '../../kernel/parameters'
import { requestStep } from '../../login/inspected-steps'
import type { Runtime } from '../runtime/runtime'

type Protocol = 'oidc' | 'saml' | 'wsfed'

export function noteRefusal(
  protocol: Protocol,
  parameters: Parameters,
  error: DomainError,
  { trail }: Pick<Runtime, 'trail'>,
): void {
  trail.login()
  trail.step(() => requestStep(protocol, parameters, { error }))
}

/** Notes what refuses the request while it is read. */
export async function notingRefusal<T>(
  protocol: Protocol,
  parameters: Parameters,
  runtime: Pick<Runtime, 'trail'>,
  read: () => Promise<T> | T,
): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof DomainError) noteRefusal(protocol, parameters, error, runtime)
    throw error
  }
}
