/** The texts of roles. */
export const roles = {
  'roles.title': 'Roles',
  'roles.lead': 'Named sets of permissions, given to users.',
  'roles.empty': 'There is no role yet.',
  'roles.new': 'New role',
  'roles.permissions': 'Permissions',
  'roles.permissions.lead': 'What users with this role may do, by API.',
  'roles.holders': 'Users',
  'roles.holders.add': 'Give the role',
  'roles.holders.lead': 'The first hundred users who have this role.',
  'roles.delete.lead': 'Users lose its permissions with their next token.',
} as const
