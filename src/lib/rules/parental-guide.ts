/** Categories and severities of the parental guide, as IMDb names them. */

export const GUIDE_SEVERITIES = ['None', 'Mild', 'Moderate', 'Severe'] as const
export const GUIDE_CATEGORIES = [
  'Sex & Nudity',
  'Violence & Gore',
  'Profanity',
  'Alcohol Drugs & Smoking',
  'Frightening & Intense Scenes',
] as const
