/** The texts of organizations. */
export const organizations = {
  'organizations.title': 'Organizations',
  'organizations.lead': 'Customers, partners and teams, with members, connections and a look of their own.',
  'organizations.empty': 'There is no organization yet.',
  'organizations.new': 'New organization',
  'organizations.look': 'Look and metadata',
  'organizations.look.lead': 'Logo and colours of its login page, and data of applications.',
  'organizations.members': 'Members',
  'organizations.members.lead': 'The first hundred.',
  'organizations.delete.lead': 'Members keep their accounts. Its invitations and connections go with it.',
} as const
