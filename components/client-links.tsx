import type { ClientView } from '../lib/pages/view'
import type { Translate } from '../lib/text/catalogue'
import { TextLink } from './text-link'

export type ClientLinksView = { policyUrl?: string; termsUrl?: string }

/** The privacy policy and terms of use of a client (OIDC Dynamic Client Registration 2). */
export const ClientLinks = ({ client, t }: { client: ClientView & ClientLinksView; t: Translate }) => (
  <>
    {client.policyUrl && (
      <p>
        <TextLink href={client.policyUrl}>{t('consent.policy', { client: client.name })}</TextLink>
      </p>
    )}
    {client.termsUrl && (
      <p>
        <TextLink href={client.termsUrl}>{t('consent.terms', { client: client.name })}</TextLink>
      </p>
    )}
  </>
)
