import type { UIMessagePart } from '../../engine/uiMessage.ts';
import { addedText, PROMPT_PART, type AttachedPrompt } from '../attachments/addedParts.ts';
import type { Skill } from './findSkills.ts';
import { skillText } from './readSkill.ts';
import type { SkillHost } from './skillTool.ts';

/** A skill as parts of the question in which the user names it. What was typed after its name is the question's text. */
export async function runSkill(skill: Skill, host: Pick<SkillHost, 'pathOf'>): Promise<UIMessagePart[]> {
  const data: AttachedPrompt = { name: skill.name, path: skill.shown };
  const text = `[The user asks you to follow this skill now.]\n\n${await skillText(skill, host)}`;
  return [{ type: PROMPT_PART, data }, addedText('prompt', text)];
}
