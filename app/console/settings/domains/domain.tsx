import type { AnswerOf } from '../../../../lib/management/console-call'
import type { customDomains } from '../../../../lib/management/resources/custom-domains'
import { say } from '../../../../lib/text/console'
import { Badge } from '../../_parts/badge'

export type Domain = AnswerOf<typeof customDomains.read>

export function DomainState({ verification: { status } }: Pick<Domain, 'verification'>) {
  if (status === 'failed') return <Badge danger>{say('domains.failed')}</Badge>
  return <Badge>{say(status === 'verified' ? 'domains.ready' : 'domains.pending')}</Badge>
}
