import Type from 'typebox';
import { CARD_DESCRIPTION_CHARACTERS_MAX, CARD_TITLE_CHARACTERS_MAX } from '../../base/limits.js';
import { urlIn } from './destination-fields.js';
import { closedObject, nullable, plainText, text } from './fields.js';

const cardHelp = {
  title: 'Title; null shows the name of the project',
  description: 'Description',
  image_url: 'Image: https',
};

export const cardSchema = Type.Object(
  {
    title: nullable(text(cardHelp.title)),
    description: nullable(text(cardHelp.description)),
    image_url: nullable(text(cardHelp.image_url)),
  },
  {
    description:
      'Preview card that chats and social networks show for the link. If it is null, a preview bot is redirected to the web destination, and the card of that page is shown. The bot gets a generic card only if there is no web destination.',
  },
);

export const cardInSchema = closedObject(
  {
    title: Type.Optional(nullable(plainText(cardHelp.title, 1, CARD_TITLE_CHARACTERS_MAX))),
    description: Type.Optional(nullable(plainText(cardHelp.description, 1, CARD_DESCRIPTION_CHARACTERS_MAX))),
    image_url: urlIn(cardHelp.image_url),
  },
  {
    description:
      'Preview card that chats and social networks show for the link. In a PATCH an absent member keeps its value, null clears it, and null instead of the object clears all three.',
    examples: [{ title: 'Spring sale', image_url: 'https://example.com/spring.png' }],
  },
);
