// Organizations and their members.
import { managedOrganizationClientGrants } from '../../../adapters/store/prisma/management/organization-client-grants'
import { managedOrganizationConnections } from '../../../adapters/store/prisma/management/organization-connections'
import { managedOrganizationDomains } from '../../../adapters/store/prisma/management/organization-domains'
import { managedInvitations } from '../../../adapters/store/prisma/management/organization-invitations'
import { managedOrganizationMembers } from '../../../adapters/store/prisma/management/organization-members'
import { managedOrganizations } from '../../../adapters/store/prisma/management/organizations'
import type { ManagementDeps } from '../../../management/deps'
import { invitationMailer } from '../mailer'
import type { ManagementOpening } from './opening'

export const organizations = ({ db, tenantId, runtime, shared }: ManagementOpening) =>
  ({
    organizations: managedOrganizations(db, tenantId),
    organizationMembers: managedOrganizationMembers(db, tenantId),
    organizationConnections: managedOrganizationConnections(db, tenantId),
    organizationClientGrants: managedOrganizationClientGrants(db, tenantId),
    organizationDomains: managedOrganizationDomains(db, tenantId),
    invitations: managedInvitations(db, tenantId),
    invitationMailer: invitationMailer(runtime.sender, shared),
  }) satisfies Partial<ManagementDeps>
