"""Names that everybody knows: given names, cities and countries, tools and technologies, a few employers.

Written down by hand from general knowledge, in base form; ``_`` stands for a space. What is also an everyday word
(Signal, Teams, Linear) is left out or in `DOUBTFUL`, since a name that is missed costs less than one that is wrong.
"""

from __future__ import annotations

from typing import Final

GIVEN_NAMES: Final = """
Adam Adrian Agata Agnieszka Aleksander Aleksandra Alicja Amelia Andrzej Aneta Aniela Anna Antoni Antonina Arkadiusz
Artur Barbara Bartek Bartłomiej Bartosz Beata Blanka Bogdan Bogusław Bogna Bożena Cecylia Celina Czesław Damian Daniel
Danuta Daria Dariusz Dawid Dominik Dominika Dorota Edward Edyta Elżbieta Emil Emilia Eryk Eugeniusz Ewa Ewelina
Filip Franciszek Gabriel Gabriela Grażyna Grzegorz Halina Hania Hanna Helena Henryk Hubert Ignacy Igor Irena Iwona
Iza Izabela Jacek Jadwiga Jagoda Jakub Janina Janusz Jarek Jarosław Jerzy Joanna Jolanta Julia Julian Justyna Józef
Kacper Kamil Kamila Karol Karolina Kasia Katarzyna Kazimierz Kinga Klara Klaudia Konrad Kornelia Krystian Krystyna
Krzysiek Krzysztof Kuba Lech Lena Leokadia Leon Leszek Lidia Liliana Lucyna Łucja Łukasz Maciej Maciek Magda Magdalena
Maja Małgorzata Małgosia Marcel Marcin Marek Maria Marian Marianna Mariusz Marlena Marta Martyna Marysia Mateusz
Michalina Michał Mieczysław Mikołaj Milena Mirela Mirosław Monika Nadia Natalia Nikodem Nina Norbert Ola Olek Oliwia
Oskar Patryk Paulina Paweł Piotr Piotrek Przemek Przemysław Radek Radosław Rafał Renata Robert Roksana Roman Rozalia
Ryszard Sabina Sebastian Seweryn Sławomir Stanisław Stefan Sylwester Sylwia Szymon Tadeusz Teresa Tomasz Tomek Tymon
Tymoteusz Urszula Waldek Waldemar Wanda Wawrzyniec Weronika Wiesław Wiktor Wiktoria Witek Witold Władysław Włodek
Wojciech Wojtek Zbigniew Zbyszek Zenon Zofia Zosia Zuzanna Zygmunt Żaneta Gosia Asia Basia Kasia Staszek Józek Bronek
Aaron Abigail Ahmed Aisha Alan Albert Alejandro Alex Alexander Alexandra Alice Alison Amanda Amber Amir Amy Andrea
Andrew Angela Anita Anne Annie Anthony Antonio Arthur Ashley Astrid Audrey Ava Barry Beatrice Ben Benjamin Bernard
Beth Bianca Björn Boris Brandon Brenda Brian Bruno Caleb Calvin Camille Carl Carla Carlos Carmen Carol Caroline
Catherine Cecilia Charles Charlotte Chloe Chris Christian Christina Christine Christopher Claire Clara Colin Connor
Craig Cynthia Dan Dave David Deborah Denise Dennis Derek Diana Diego Dmitri Dominic Donald Donna Doris Douglas Duncan
Edith Eduardo Edwin Eileen Elena Eleanor Eli Elias Elizabeth Ella Ellen Elsa Emily Emma Enrique Eric Erik Erin Ethan
Eva Eve Evelyn Fatima Felix Fernando Fiona Florence Francesca Francis Frederick Gavin Geoff George Gerald Gina Giulia
Gloria Gordon Graham Greg Gregory Greta Gustav Hamid Hannah Hans Harold Harriet Harry Hassan Heather Heidi Helen
Henrik Henry Hiroshi Holly Howard Hugh Hugo Ian Ines Ingrid Irene Isaac Isabel Isabella Ivan Jack Jacob Jake James
Jamie Jane Janet Jason Javier Jean Jeff Jennifer Jeremy Jerome Jess Jessica Jill Jim Joan João Joe Johan Johanna John
Johannes Jon Jonas Jonathan Jorge José Joseph Josh Joshua Juan Judith Judy Julie Juliet Jürgen Justin Karen Karl Kate
Katherine Kathleen Katie Keith Kelly Ken Kenji Kenneth Kevin Kim Kirsten Kyle Lars Laura Lauren Leah Leila Leo Liam
Linda Lisa Liz Louise Lucas Lucia Lucy Luis Luka Luke Lydia Malcolm Manuel Marc Marco Margaret Maribel Marie Mario
Marion Martha Martin Mateo Matt Matthew Maurice Meera Megan Mei Melanie Melissa Mia Michael Michelle Miguel Mike Mina
Miriam Mohammed Molly Monica Nadine Nancy Naomi Natalie Natasha Nathan Neil Nicholas Nick Nicole Nigel Nikhil Nils
Noah Nora Oleg Oliver Olivia Omar Oscar Otto Owen Pablo Patricia Patrick Paul Paula Pedro Pete Peter Phil Philip
Philippa Pierre Priya Rachel Raj Ralph Ravi Raymond Rebecca Ricardo Richard Rita Roberto Rodrigo Roger Ron Ronald Rosa
Rosie Ross Roxanne Roy Rupert Russell Ruth Ryan Sally Sam Samantha Samuel Sanjay Sara Sarah Scott Sean Sergei Seth
Shannon Sheila Simon Simone Sofia Sonia Sophia Sophie Stella Stephanie Stephen Steve Steven Stuart Susan Susanna Sven
Sylvia Tamara Tanya Tara Tess Thelma Theo Thomas Tiffany Tim Timothy Tina Toby Todd Tom Tommy Tony Tracy Trevor Tyler
Ulrich Ursula Valentina Valerie Vanessa Vera Veronica Victor Victoria Vikram Vincent Violet Vivian Walter Wendy
Willem William Xavier Yasmin Yuki Yusuf Yvonne Zachary Zoe Evan Gabi Joanne Nate Dev Ala Aga Ada Iga Ela Ania Malwina
Bella Rob Bob Sue Jasiek Martina Francesco Ali
"""

SHORT_NAMES: Final = """
Jan Max Mark May Will Rose Grace Hope Joy Frank Bill Bob Ray Art Pat Drew Grant Chase Faith
Jasmine Daisy Ivy Olive Ruby Pearl Amber Summer Autumn Dawn Melody Miles Rich Skip Guy Iris Jade April June Dean Earl
Róża Kalina Ray Penny
"""
"""Given names that are everyday words, too: names only before a surname or in a place that says so."""

PLACES: Final = """
Warszawa Kraków Łódź Wrocław Poznań Gdańsk Szczecin Bydgoszcz Lublin Białystok Katowice Gdynia Częstochowa Radom Toruń
Sosnowiec Rzeszów Kielce Gliwice Olsztyn Zabrze Bielsko-Biała Bytom Zielona_Góra Rybnik Tychy Opole Gorzów Elbląg
Dąbrowa_Górnicza Płock Wałbrzych Włocławek Tarnów Chorzów Koszalin Kalisz Legnica Grudziądz Słupsk Jaworzno Sopot
Zakopane Zamość Przemyśl Sanok Krosno Nowy_Sącz Nowy_Targ Suwałki Augustów Hajnówka Białowieża Ustka Hel Kołobrzeg
Świnoujście Leszno Gniezno Siedlce Ełk Giżycko Mikołajki Cieszyn Wieliczka Oświęcim Kazimierz_Dolny Sandomierz Jastarnia
Władysławowo Malbork Puławy Chełm Mazury Bieszczady Tatry Sudety Podhale Śląsk Mazowsze Pomorze Małopolska Wielkopolska
Podlasie Wisła Odra Bałtyk Polska Niemcy Czechy Słowacja Francja Hiszpania Włochy Portugalia Anglia Szkocja Irlandia
Szwecja Norwegia Dania Finlandia Litwa Łotwa Estonia Ukraina Austria Szwajcaria Belgia Holandia Grecja Chorwacja Węgry
Rumunia Bułgaria Turcja Japonia Chiny Indie Kanada Meksyk Brazylia Australia Islandia Praga Wiedeń Berlin Paryż Londyn
Rzym Madryt Lizbona Barcelona Mediolan Wenecja Monachium Hamburg Drezno Lipsk Kolonia Frankfurt Budapeszt Bratysława
Brno Ostrawa Wilno Kowno Ryga Tallin Kijów Lwów Sztokholm Oslo Kopenhaga Helsinki Dublin Edynburg Bruksela Antwerpia
Gandawa Amsterdam Rotterdam Zurych Genewa Graz Salzburg Lublana Zagrzeb Split Belgrad Sofia Bukareszt Ateny Stambuł
Tokio Kioto Pekin Szanghaj Nowy_Jork Jerozolima Moskwa Petersburg Kair Wenezuela Kolumbia Argentyna Peru Egipt Maroko
Izrael Rosja Gruzja Armenia Serbia Słowenia Boston Seattle Denver Houston Toronto Montreal Sydney Melbourne
"""
"""In Polish, so that their cases are found, too."""

FOREIGN_PLACES: Final = """
Porto Warsaw Cracow Krakow Gdansk Wroclaw Poznan Vienna Munich Cologne Dresden Leipzig Stuttgart Düsseldorf Prague
Budapest
Bratislava Paris Lyon Marseille Bordeaux Toulouse Lille Nantes London Manchester Liverpool Leeds Sheffield Birmingham
Bristol Bath Hull York Oxford Cambridge Brighton Edinburgh Glasgow Aberdeen Cardiff Belfast Cork Galway Lisbon Madrid
Seville Valencia Bilbao Granada Málaga Rome Milan Turin Naples Florence Venice Bologna Palermo Athens Brussels Antwerp
Ghent Bruges Utrecht Hague Eindhoven Copenhagen Aarhus Stockholm Gothenburg Malmö Bergen Trondheim Tampere Reykjavik
Riga Vilnius Kaunas Kyiv Lviv Odesa Zagreb Ljubljana Belgrade Bucharest Istanbul Ankara Moscow Zurich Geneva Basel Bern
Lucerne Luxembourg Monaco Malta Cyprus New_York Boston Chicago Seattle Portland San_Francisco Los_Angeles San_Diego
Oakland Denver Dallas Houston Atlanta Miami Philadelphia Washington Detroit Minneapolis Toronto Vancouver Montreal
Ottawa
California Texas Florida Oregon Colorado Alaska Hawaii Tokyo Kyoto Osaka Seoul Beijing Shanghai Singapore Bangkok Hanoi
Mumbai Delhi Bangalore Chennai Sydney Melbourne Brisbane Auckland Wellington Cairo Nairobi Lagos Cape_Town Johannesburg
Casablanca Dubai Jerusalem Tel_Aviv Poland Germany France Spain Italy England Scotland Wales Ireland Sweden Norway
Denmark Finland Iceland Netherlands Belgium Switzerland Greece Croatia Hungary Romania Bulgaria Ukraine
Lithuania Latvia Canada Mexico Brazil Argentina Chile Peru Japan Korea China India Thailand Vietnam Indonesia Egypt
Kenya
Nigeria Morocco New_Zealand South_Africa United_States United_Kingdom Europe Alps Baltic Danube Vistula Rhine Thames
"""

TECHNOLOGIES: Final = """
Python JavaScript TypeScript Java Kotlin Scala Haskell OCaml Erlang Elixir Clojure Fortran COBOL Perl PHP Ruby Golang
C++ C# F# Node.js Deno React Vue Vue.js Angular Svelte SvelteKit Next.js Nuxt Django Flask FastAPI Rails Ruby_on_Rails
Laravel Symfony Spring_Boot Postgres PostgreSQL MySQL MariaDB SQLite MongoDB Redis Memcached Cassandra DynamoDB
Elasticsearch OpenSearch ClickHouse DuckDB Snowflake BigQuery Redshift CockroachDB Neo4j InfluxDB TimescaleDB PostGIS
RabbitMQ NATS ZeroMQ gRPC GraphQL TensorFlow PyTorch Keras NumPy pandas scikit-learn Pydantic SQLAlchemy Celery OpenSSL
LLVM WebAssembly Tailwind Bootstrap jQuery Webpack Vite ESLint pytest Hypothesis Tokio Arduino FreeRTOS LaTeX Solidity
Qdrant Weaviate pgvector RocksDB LevelDB Rust Go Swift Lucene Solr Spark Hadoop Airflow Kafka Apache_Kafka Zod
"""

TOOLS: Final = """
Docker Kubernetes Terraform Ansible Jenkins GitHub GitLab Bitbucket Git Jira Confluence Trello Asana Todoist Obsidian
Evernote OneNote Figma Miro Photoshop Lightroom Illustrator Blender GIMP Inkscape Krita Excel PowerPoint Word Outlook
Gmail Thunderbird Dropbox Nextcloud Syncthing Bitwarden 1Password KeePass Firefox Chromium Safari Spotify YouTube
Netflix WhatsApp Telegram Discord Zoom Skype Vim Neovim Emacs VS_Code IntelliJ PyCharm Xcode Android_Studio
Grafana Prometheus Datadog Sentry Splunk Kibana Nginx Caddy Traefik Ubuntu Debian Fedora Linux Windows macOS Android iOS
iPhone iPad MacBook Kindle Fairphone Raspberry_Pi PlayStation Xbox Airbnb Booking Uber Revolut PayPal Omio Duolingo
Strava Garmin Goodreads Zotero Mendeley Anki Logseq Roam Airtable Zapier Salesforce HubSpot Zendesk Intercom SAP
QuickBooks Shopify WordPress Wix Cloudflare Vercel Netlify Heroku AWS Azure Lambda S3 Postman Insomnia Tesseract FFmpeg
LibreOffice Google_Docs Google_Sheets Google_Maps Google_Calendar ChatGPT Copilot Claude_Code systemd CUPS Proxmox
Home_Assistant Pi-hole WireGuard Tailscale OpenVPN Mattermost Fastmail Proton_Mail ProtonMail Audacity OBS Ableton
Tailwind PocketBook Thermomix Roomba Instagram Facebook Twitter LinkedIn Reddit Wikipedia Messenger Litestream Terminal
Ollama Podman Vagrant Helm Argo_CD CircleCI Bamboo Kobo GoPro Fitbit Kahoot Quizlet Calibre Hetzner Notion Slack Linear
Signal Chrome Teams Zed Helix
"""

ORGANIZATIONS: Final = """
Google Microsoft Amazon IBM Intel Nvidia Siemens Bosch Volkswagen BMW Toyota Samsung Sony Nokia Ericsson Accenture
Deloitte KPMG Stripe Anthropic OpenAI Netflix Allegro Żabka Biedronka Lidl IKEA CD_Projekt Orlen PKO_BP mBank ING
NATO UNICEF Greenpeace Red_Cross NASA ESA CERN UNESCO Harvard Stanford MIT
"""

EVENTS: Final = "FOSDEM PyCon EuroPython KubeCon Oktoberfest WWDC Glastonbury Coachella Wimbledon Olympics Open'er"

DOUBTFUL: Final = """
Word Windows Excel Booking Terminal Insomnia Safari Bamboo Helm Roam Ruby Snowflake Spark Java Bootstrap Hypothesis
Lambda Split Hel Bath Hull Cork Nice Reading Turkey Chile China Orange Bergen Amazon Intel Stripe Messenger Illustrator
Blender Zoom Wisła Uber Outlook Intercom Celery React Vite Calibre Rails Sofia Florence Docker Zod Python Perl Flask
Washington Portland Odra Kindle Jerusalem Alps Rails Copilot ING ESA MIT Kolonia Lipsk Indie Włochy Split
"""
"""They are everyday words, too, or other names: at the start of a sentence nobody can tell."""
