// The password policy of a connection in the words of the vendor's API.
import { describePolicy, type PasswordPolicy } from '../../../data/users/password-policy'

const SOME = ['lowercase', 'uppercase', 'number']

/** The parts of a profile that a password must not contain (lib/data/users/password-policy.ts). */
const BLOCKED = [
  ...['email', 'username', 'name', 'nickname', 'given_name', 'family_name'],
  ...['user_metadata.name', 'user_metadata.first', 'user_metadata.last'],
]

export function presentPolicy(policy: PasswordPolicy) {
  const rules = new Map(describePolicy(policy).map((rule) => [rule.code, rule]))
  const isThreeOfFour = rules.has('containsAtLeast')
  return {
    complexity: {
      min_length: Number(rules.get('lengthAtLeast')?.format?.[0] ?? 1),
      character_types: isThreeOfFour ? [...SOME, 'special'] : rules.has('shouldContain') ? SOME : [],
      character_type_rule: isThreeOfFour ? 'three_of_four' : 'all',
      identical_characters: rules.has('identicalChars') ? 'block' : 'allow',
      sequential_characters: 'allow',
      max_length_exceeded: 'error',
    },
    profile_data: { active: policy.refusesPersonal, blocked_fields: policy.refusesPersonal ? BLOCKED : [] },
    history: { active: policy.history > 0, size: policy.history },
    dictionary: { active: policy.dictionary !== null, default: 'en_10k' },
  }
}
