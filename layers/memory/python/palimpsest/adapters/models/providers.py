"""The language model that somebody wants, from whoever provides it."""

from __future__ import annotations

from dataclasses import dataclass

from palimpsest.adapters.models import prices
from palimpsest.adapters.models.model_server import Key
from palimpsest.domain.prices import Price
from palimpsest.ports.language_model import LanguageModel, PricedModel

HIGHEST = "highest"


_NO_PRICE = (
    "nobody here knows the price of the model that PALIMPSEST_MODEL names, so no cap could hold: say it with"
    " PALIMPSEST_MODEL_PRICE"
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """A model.

    Attributes:
        name: Provider and model: ``openai:gpt-5-mini``.
        url: Another address than the provider's own.
        effort: How much it is to think.
        price: Dollars for a million tokens of input and of output (``0.06/0.24``), ``highest``, or None: as listed.
    """

    name: str
    key: Key
    url: str | None = None
    effort: str | None = None
    price: str | None = None

    def made(self) -> PricedModel:
        """The model with its price; calls nobody.

        Raises:
            ValueError: It is not listed and no other price is given, or the address is none. Says so by the settings.
        """
        provider, _, name = self.name.partition(":")
        return PricedModel(self._model(provider, name), self._price(provider, name))

    def _model(self, provider: str, name: str) -> LanguageModel:
        if provider == "bedrock":
            from palimpsest.adapters.aws.bedrock_converse import BedrockConverse

            return BedrockConverse(name, effort=self.effort)
        from palimpsest.adapters.models import anthropic_messages, openai_chat

        if provider == "anthropic":
            url = self.url or anthropic_messages.URL
            return anthropic_messages.AnthropicMessages(name, self.key, url, effort=self.effort)
        return openai_chat.OpenAIChat(name, self.key, self.url or openai_chat.URL, effort=self.effort)

    def _price(self, provider: str, name: str) -> Price:
        if self.price is not None and self.price != HIGHEST:
            return Price.usd(*self.price.split("/"))
        listed = prices.listed_price(provider, name)
        if listed is None and self.price is None:
            raise ValueError(_NO_PRICE)
        return listed or prices.DEAREST
