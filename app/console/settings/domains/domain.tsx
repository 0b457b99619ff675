import { say } from '../../../../lib/text/console'
import { Badge } from '../../_parts/badge'

export type Domain = {
  custom_domain_id: string
  domain: string
  type: string
  status: 'pending_verification' | 'ready'
  is_default: boolean
  origin_domain_name: string
  verification: {
    methods: { record: string; domain: string }[]
    status: 'verified' | 'pending' | 'failed'
    error_msg?: string
    last_verified_at?: string
  }
}

export function DomainState({ verification: { status } }: Pick<Domain, 'verification'>) {
  if (status === 'failed') return <Badge danger>{say('domains.failed')}</Badge>
  return <Badge>{say(status === 'verified' ? 'domains.ready' : 'domains.pending')}</Badge>
}
